{{/* Settings and files of the command line program to call as the operator: {settings, files}. Takes the root. */}}
{{- define "cadastre.operatorNeeds" -}}
{{- $root := . -}}
{{- $secret := include "cadastre.internalTlsSecret" (dict "root" . "name" "operator") -}}
settings:
  {{- range list "objects" "auth" "search" }}
  CADASTRE_{{ upper . }}_ADDRESS: {{ include "cadastre.name" (dict "root" $root "name" .) }}:9090
  {{- end }}
  {{- if .Values.mirror.enabled }}
  CADASTRE_MIRROR_ADDRESS: {{ include "cadastre.name" (dict "root" . "name" "mirror") }}:9090
  {{- end }}
  {{- if .Values.events.enabled }}
  CADASTRE_EVENTS_ADDRESS: {{ include "cadastre.name" (dict "root" . "name" "events") }}:9090
  {{- end }}
  CADASTRE_SEARCH_ANY_ADDRESS: {{ include "cadastre.name" (dict "root" . "name" "search-any") }}:9090
  {{- if $secret }}
  CADASTRE_TLS_CERT_FILE: /run/files/operator/tls.crt
  CADASTRE_TLS_KEY_FILE: /run/files/operator/tls.key
  CADASTRE_TLS_CA_FILE: /run/files/operator/ca.crt
  {{- end }}
{{- if $secret }}
files:
  - { name: operator, secret: {{ $secret }} }
{{- else }}
files: []
{{- end }}
{{- end -}}
