{{/* Start of every name in the release; room is left for the service's name. */}}
{{- define "cadastre.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of one service. Takes: root, name. */}}
{{- define "cadastre.name" -}}
{{ include "cadastre.fullname" .root }}-{{ .name }}
{{- end -}}

{{/* What selects the pods of one service: nothing that changes with a version. Takes: root, name. */}}
{{- define "cadastre.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Takes: root, name. */}}
{{- define "cadastre.labels" -}}
{{ include "cadastre.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}
