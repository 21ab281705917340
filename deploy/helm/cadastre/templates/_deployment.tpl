{{/*
The pods of one service. Takes:
  root, name, values   the chart, the service, its values
  ports                port name -> number; "operations" is added
  calls                names of the services that it calls
  settings             NAME -> value, of this service
  files                files from Secrets, as for "cadastre.mounts"
  drainSeconds         how long it serves after the stop signal, until all clients know
  graceSeconds         timeout of its stop, including draining
  unreadySeconds       how long its readiness may fail before it gets no connections
  first                containers that run before, as text; optional
  firstFiles           files that only these mount; optional
  progressSeconds      how long a new pod may take until it is ready; optional
  podAnnotations       optional
  scratch              size of its /tmp; optional
*/}}
{{- define "cadastre.deployment" -}}
{{- $files := concat .files (include "cadastre.internalTlsFiles" . | fromYamlArray) (include "cadastre.ownFiles" .values | fromYamlArray) -}}
{{- $volumes := include "cadastre.volumes" (dict "files" (concat $files (.firstFiles | default list)) "scratch" .scratch) -}}
{{- with .values.extraVolumes -}}
{{- $volumes = printf "%s\n%s" $volumes (toYaml .) -}}
{{- end -}}
{{- $pod := dict "spread" true "volumes" $volumes "containers" (include "cadastre.serviceContainers" (merge (dict "files" $files) .)) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  {{- if not .values.autoscaling.enabled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  {{- with .progressSeconds }}
  progressDeadlineSeconds: {{ . }}
  {{- end }}
  # The next pod goes when the others have found this one: docs/adr/0035.
  minReadySeconds: 15
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  template:
    {{- include "cadastre.podTemplate" (merge $pod .) | nindent 4 }}
{{- end -}}

{{/* Takes the same; its files are all that it mounts. */}}
{{- define "cadastre.serviceContainers" -}}
- {{ include "cadastre.container" (dict "root" .root "name" .name "as" .name "resources" .values.resources) | nindent 2 | trim }}
  ports:
    {{- range $name, $port := .ports }}
    - { name: {{ $name }}, containerPort: {{ $port }} }
    {{- end }}
    - { name: operations, containerPort: 9091 }
  env:
    {{- include "cadastre.env" . | nindent 4 }}
  {{- with .values.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # /live: restart the pod when this fails. /ready: the service and its dependencies work.
  startupProbe:
    httpGet: { path: /live, port: operations }
    periodSeconds: 2
    failureThreshold: 60
  livenessProbe:
    httpGet: { path: /live, port: operations }
    periodSeconds: 10
    timeoutSeconds: 5
    failureThreshold: 6
  readinessProbe:
    httpGet: { path: /ready, port: operations }
    periodSeconds: 1
    timeoutSeconds: 1
    failureThreshold: {{ .unreadySeconds }}
  lifecycle:
    preStop:
      sleep: { seconds: {{ .drainSeconds }} }
  volumeMounts:
    {{- include "cadastre.mounts" . | nindent 4 }}
    {{- with .values.extraVolumeMounts }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- with .values.extraContainers }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Settings of every service, of this one, and last those of the operator, which take precedence. */}}
{{- define "cadastre.env" -}}
{{- $settings := dict
  "CADASTRE_ENVIRONMENT" .root.Values.environment
  "CADASTRE_SOURCE" .root.Values.source
  "CADASTRE_LOG_LEVEL" .root.Values.logLevel -}}
{{- range .calls -}}
{{- $_ := set $settings (printf "CADASTRE_%s_ADDRESS" (upper .)) (printf "%s:9090" (include "cadastre.name" (dict "root" $.root "name" .))) -}}
{{- end -}}
{{- with .root.Values.tracing.endpoint -}}
{{- $settings = merge $settings (dict
  "OTEL_EXPORTER_OTLP_ENDPOINT" .
  "NODE_OPTIONS" "--import @cadastre/service/tracing") -}}
{{- end -}}
{{- $settings = mergeOverwrite $settings .settings (include "cadastre.internalTlsSettings" . | fromYaml) .root.Values.env .values.env -}}
{{- range .values.extraEnv -}}
{{- $settings = omit $settings .name -}}
{{- end -}}
{{- include "cadastre.variables" $settings -}}
{{- with .values.extraEnv }}
{{ toYaml . }}
{{- end -}}
{{- end -}}

{{/* Settings as environment variables. Takes NAME -> value. */}}
{{- define "cadastre.variables" -}}
{{- $variables := list -}}
{{- range $name, $value := . -}}
{{- $variables = append $variables (dict "name" $name "value" (toString $value)) -}}
{{- end -}}
{{- toYaml $variables -}}
{{- end -}}
