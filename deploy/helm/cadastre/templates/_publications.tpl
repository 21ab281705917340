{{/* The volume with the files that others fetch; empty when these are in a bucket. Takes the root. */}}
{{- define "cadastre.publicationsClaim" -}}
{{- if not .Values.mirror.s3.bucket -}}
{{ .Values.mirror.volume.claimName | default (include "cadastre.name" (dict "root" . "name" "publications")) }}
{{- end -}}
{{- end -}}
