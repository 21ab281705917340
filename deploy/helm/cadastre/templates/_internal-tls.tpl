{{/* Every part with a certificate of the release's own CA. */}}
{{- define "cadastre.certified" -}}
[gateway, objects, auth, search, events, whois, mirror, operator]
{{- end -}}

{{/* How the services get their certificates; required in production. Takes the root. */}}
{{- define "cadastre.internalTlsMode" -}}
{{- .Values.internalTls.mode | default "generated" -}}
{{- end -}}

{{/* The Secret with the internal certificate of a part; empty without TLS. Takes: root, name. */}}
{{- define "cadastre.internalTlsSecret" -}}
{{- $mode := include "cadastre.internalTlsMode" .root -}}
{{- if eq $mode "existing" -}}
{{ .root.Values.internalTls.secretPrefix }}-{{ .name }}
{{- else if ne $mode "none" -}}
{{ include "cadastre.name" . }}-tls
{{- end -}}
{{- end -}}

{{/*
The name of a part in its certificate. It includes the release and the namespace: two environments with the same CA do
not accept each other's services. Takes: root, name.
*/}}
{{- define "cadastre.certificateName" -}}
{{- get .root.Values.internalTls.peers .name | default (printf "%s.%s.svc" (include "cadastre.name" .) .root.Release.Namespace) -}}
{{- end -}}

{{/* DNS names of a certificate: the name of its holder, and the addresses of its Service. Takes: root, name. */}}
{{- define "cadastre.certificateDnsNames" -}}
- {{ include "cadastre.certificateName" . }}
- {{ include "cadastre.name" . }}
{{- end -}}

{{/* The certificate as files. Takes: root, name. */}}
{{- define "cadastre.internalTlsFiles" -}}
{{- with include "cadastre.internalTlsSecret" . }}
- name: internal-tls
  secret: {{ . }}
{{- end }}
{{- if (.root.Values.operators.tokens).secretName }}
{{- if has .name (list "objects" "auth" "search" "events" "whois" "mirror") }}
- name: rpc-tokens
  secret: {{ .root.Values.operators.tokens.secretName }}
  items: { tokens: {{ .root.Values.operators.tokens.key }} }
{{- end }}
{{- end }}
{{- end -}}

{{/* Settings that map certificate names to callers. Takes: root, name. */}}
{{- define "cadastre.internalTlsSettings" -}}
{{- $root := .root -}}
{{- if include "cadastre.internalTlsSecret" . }}
CADASTRE_TLS_CERT_FILE: /run/files/internal-tls/tls.crt
CADASTRE_TLS_KEY_FILE: /run/files/internal-tls/tls.key
CADASTRE_TLS_CA_FILE: /run/files/internal-tls/ca.crt
{{- else if ne .name "gateway" }}
CADASTRE_RPC_PLAINTEXT: "true"
{{- end }}
{{- if ne .name "gateway" }}
{{- $peers := list -}}
{{- range list "gateway" "objects" "auth" "search" "events" "whois" "mirror" -}}
{{- $peers = append $peers (printf "%s=%s" . (include "cadastre.certificateName" (dict "root" $root "name" .))) -}}
{{- end }}
CADASTRE_RPC_PEERS: {{ join "," $peers }}
CADASTRE_OPERATORS: {{ join "," (prepend $root.Values.operators.names (include "cadastre.certificateName" (dict "root" $root "name" "operator"))) }}
{{- with $root.Values.operators.allow }}
CADASTRE_RPC_ALLOW: {{ join "," . }}
{{- end }}
{{- with $root.Values.operators.tokens.secretName }}
CADASTRE_RPC_TOKENS_FILE: /run/files/rpc-tokens/tokens
{{- end }}
{{- end }}
{{- end -}}
