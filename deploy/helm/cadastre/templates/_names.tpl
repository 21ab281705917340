{{/* The name of the application, in names and labels. Takes the root. */}}
{{- define "cadastre.application" -}}
{{- .Values.nameOverride | default .Chart.Name -}}
{{- end -}}

{{/*
Prefix of every name in the release, at most 40 characters, so that the names of pods and jobs stay within 63. Longer
ones are cut and get a hash.
*/}}
{{- define "cadastre.fullname" -}}
{{- $application := include "cadastre.application" . -}}
{{- $name := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name $application) (contains $application .Release.Name)) -}}
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

{{/*
Name, labels and annotations of an object. Takes: root, name (of its part), and optionally fullname (default: that of the
part), labels, annotations.
*/}}
{{- define "cadastre.metadata" -}}
name: {{ .fullname | default (include "cadastre.name" .) }}
labels:
  {{- merge (include "cadastre.labels" . | fromYaml) (.labels | default dict) | toYaml | nindent 2 }}
{{- with merge dict (.annotations | default dict) .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Selector of the pods of one part; independent of the version. Takes: root, name. */}}
{{- define "cadastre.selectorLabels" -}}
app.kubernetes.io/name: {{ include "cadastre.application" .root }}
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
{{- with .root.Values.commonLabels }}
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
