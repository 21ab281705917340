{{/*
The pods of one service. Takes:
  root, name, values   the chart, the service, its values
  ports                port name -> number; "operations" is added
  calls                names of the services that it calls
  settings             NAME -> value, of this service
  files                files from Secrets, as for "cadastre.mounts"
  drainSeconds         how long it serves after the stop signal, until all clients know
  graceSeconds         timeout of its stop, including draining
  first                containers that run before, as text; optional
  firstFiles           files that only these mount; optional
  progressSeconds      how long a new pod may take until it is ready; optional
  annotations          of its pods; optional
  scratch              size of its /tmp; optional
*/}}
{{- define "cadastre.deployment" -}}
{{- $files := concat .files (include "cadastre.internalTlsFiles" . | fromYamlArray) (include "cadastre.ownFiles" .values | fromYamlArray) -}}
{{- $pod := merge (deepCopy .values.pod) (deepCopy .root.Values.pod) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
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
    metadata:
      labels:
        {{- include "cadastre.podLabels" . | nindent 8 }}
      {{- with merge dict (.annotations | default dict) .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "cadastre.name" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .graceSeconds }}
      securityContext:
        {{- include "cadastre.podSecurity" 10001 | nindent 8 }}
      {{- include "cadastre.pullSecrets" .root | nindent 6 }}
      {{- with .first }}
      initContainers:
        {{- . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "cadastre.image" . }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          securityContext:
            {{- include "cadastre.containerSecurity" . | nindent 12 }}
          ports:
            {{- range $name, $port := .ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
            - { name: operations, containerPort: 9091 }
          env:
            {{- include "cadastre.env" . | nindent 12 }}
          {{- include "cadastre.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              sleep: { seconds: {{ .drainSeconds }} }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            {{- include "cadastre.mounts" (dict "files" $files) | nindent 12 }}
            {{- with .values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with .values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "cadastre.volumes" (dict "files" (concat $files (.firstFiles | default list)) "scratch" .scratch) | nindent 8 }}
        {{- with .values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if not (hasKey $pod "topologySpreadConstraints") }}
      topologySpreadConstraints:
        {{- include "cadastre.spread" . | nindent 8 }}
      {{- end }}
      {{- with $pod }}
      {{- toYaml . | nindent 6 }}
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
{{- include "cadastre.variables" $settings -}}
{{- end -}}

{{/* Settings as environment variables. Takes NAME -> value. */}}
{{- define "cadastre.variables" -}}
{{- $variables := list -}}
{{- range $name, $value := . -}}
{{- $variables = append $variables (dict "name" $name "value" (toString $value)) -}}
{{- end -}}
{{- toYaml $variables -}}
{{- end -}}

{{/* /live: restart the pod when this fails. /ready: the service and its dependencies work; a gateway that hangs fails. */}}
{{- define "cadastre.probes" -}}
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
  failureThreshold: 2
{{- end -}}

{{/* Spreads pods of one service and version over nodes and zones. */}}
{{- define "cadastre.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels:
      {{- include "cadastre.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
