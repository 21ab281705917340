{{/*
Prefix of every name in the release, at most 40 characters, so that the names of pods and jobs stay within 63. Longer
ones are cut and get a hash.
*/}}
{{- define "cadastre.fullname" -}}
{{- $name := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name)) -}}
{{- if gt (len $name) 40 -}}
{{- printf "%s-%s" (trunc 33 $name | trimSuffix "-") (sha256sum $name | trunc 6) -}}
{{- else -}}
{{- $name -}}
{{- end -}}
{{- end -}}

{{/* Name of one part. Takes: root, name. */}}
{{- define "cadastre.name" -}}
{{ include "cadastre.fullname" .root }}-{{ .name }}
{{- end -}}

{{/* Selector of the pods of one part; independent of the version. Takes: root, name. */}}
{{- define "cadastre.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* Takes: root, name. */}}
{{- define "cadastre.labels" -}}
{{ include "cadastre.selectorLabels" . }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* The labels of a pod: those of the part, and the operator's own. Takes: root, name. */}}
{{- define "cadastre.podLabels" -}}
{{ include "cadastre.labels" . }}
{{- with .root.Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* The image of one service: REGISTRY/cadastre-SERVICE:VERSION, or @DIGEST. Takes: root, name. */}}
{{- define "cadastre.image" -}}
{{- $image := .root.Values.image -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- $image.prefix }}{{ .name -}}
{{- with get $image.digests .name }}@{{ . }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end -}}

{{/* Secrets for pulling images. Takes the root. */}}
{{- define "cadastre.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
CADASTRE_SOURCE_ALIASES: NAME=a,b NAME=c
*/}}
{{- define "cadastre.sourceAliases" -}}
{{- $aliases := list -}}
{{- range $name, $sources := .Values.sourceAliases -}}
{{- $aliases = append $aliases (printf "%s=%s" $name (join "," $sources)) -}}
{{- end -}}
{{- join " " $aliases -}}
{{- end -}}
