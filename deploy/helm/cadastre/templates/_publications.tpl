{{/* The volume with the files that others fetch; empty when there are none, or in a bucket. Takes the root. */}}
{{- define "cadastre.publicationsClaim" -}}
{{- with .Values.mirror -}}
{{- if and .enabled (or .publish .dumps) (not .s3.secretName) -}}
{{ .volume.claimName | default (include "cadastre.name" (dict "root" $ "name" "publications")) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* CADASTRE_PUBLIC_TEXTS. Takes the root. */}}
{{- define "cadastre.publicTexts" -}}
{{- $entries := list -}}
{{- range $source, $texts := .Values.mirror.publicTexts -}}
{{- $entries = append $entries (printf "%s %s" $source (join " " $texts)) -}}
{{- end -}}
{{ join "," $entries }}
{{- end -}}
