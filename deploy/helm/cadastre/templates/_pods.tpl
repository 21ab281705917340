{{/*
The template of pods. Takes what "cadastre.podSpec" takes, and podAnnotations (optional). No label changes with the
version: an upgrade would restart the databases of a trial.
*/}}
{{- define "cadastre.podTemplate" -}}
{{- $labels := omit (include "cadastre.labels" . | fromYaml) "app.kubernetes.io/version" "helm.sh/chart" -}}
metadata:
  labels:
    {{- merge (deepCopy .root.Values.podLabels) $labels | toYaml | nindent 4 }}
  {{- with merge dict (.podAnnotations | default dict) .root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- include "cadastre.podSpec" . | nindent 2 }}
{{- end -}}

{{/*
A pod as in the "restricted" profile of Kubernetes, without rights in the cluster. Takes:
  root, name
  values               those of its service; optional
  user                 number of its user; default 10001
  restartPolicy, deadlineSeconds, graceSeconds
                       as in Kubernetes; optional
  first                containers that run before, as text; optional
  containers, volumes  as text
  spread               whether its pods are spread over nodes and zones; optional
*/}}
{{- define "cadastre.podSpec" -}}
{{- $user := .user | default 10001 -}}
{{- $pod := merge (deepCopy ((.values).pod | default dict)) (deepCopy .root.Values.pod) -}}
serviceAccountName: {{ include "cadastre.accountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .restartPolicy }}
restartPolicy: {{ . }}
{{- end }}
{{- with .deadlineSeconds }}
activeDeadlineSeconds: {{ . }}
{{- end }}
{{- with .graceSeconds }}
terminationGracePeriodSeconds: {{ . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ $user }}
  runAsGroup: {{ $user }}
  fsGroup: {{ $user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .first }}
initContainers:
  {{- . | nindent 2 }}
{{- end }}
containers:
  {{- .containers | nindent 2 }}
volumes:
  {{- .volumes | nindent 2 }}
{{- if and .spread (not (hasKey $pod "topologySpreadConstraints")) }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- include "cadastre.selectorLabels" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- with $pod }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The beginning of a container. Takes: root, as (its name), resources, and name (of our program) or image. */}}
{{- define "cadastre.container" -}}
name: {{ .as }}
{{- if hasKey . "image" }}
image: {{ .image }}
{{- else }}
image: {{ include "cadastre.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .resources | nindent 2 }}
{{- end -}}

{{/* Name of the service account of a part. Takes: root, name, values (of a service; optional). */}}
{{- define "cadastre.accountName" -}}
{{- $account := (.values | default .root.Values.defaults).serviceAccount -}}
{{- $account.name | default (ternary (include "cadastre.name" .) "default" $account.create) -}}
{{- end -}}

{{/* A service account without rights or mounted token. Takes: root, name, annotations (optional), values (optional). */}}
{{- define "cadastre.account" -}}
{{- $account := (.values | default .root.Values.defaults).serviceAccount -}}
{{- if $account.create -}}
{{- $annotations := merge dict (.annotations | default dict) ($account.annotations) -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "cadastre.metadata" (dict "root" .root "name" .name "fullname" (include "cadastre.accountName" .) "annotations" $annotations) | nindent 2 }}
automountServiceAccountToken: false
{{- end -}}
{{- end -}}
