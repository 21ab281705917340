{{/*
A CA of this release and a certificate for each part, for ten years, kept over upgrades: existing ones stay. For
evaluation: Helm's release record contains the keys, and nothing renews them. Takes the root.
*/}}
{{- define "cadastre.generatedCertificates" -}}
{{- $root := . -}}
{{- $days := 3650 -}}
{{- $authorityName := include "cadastre.name" (dict "root" . "name" "authority") -}}
{{- $kept := (lookup "v1" "Secret" .Release.Namespace $authorityName).data -}}
{{- $authority := dict -}}
{{- if $kept -}}
{{- $authority = buildCustomCert (index $kept "tls.crt") (index $kept "tls.key") -}}
{{- else -}}
{{- $authority = genCAWithKey (printf "%s evaluation" (include "cadastre.fullname" .)) $days (genPrivateKey "ecdsa") -}}
{{- end -}}
{{ include "cadastre.tlsSecret" (dict "root" . "name" "authority" "secret" $authorityName
  "certificate" (b64enc $authority.Cert) "key" (b64enc $authority.Key) "authority" (b64enc $authority.Cert)) }}
{{- $parts := include "cadastre.certified" . | fromYamlArray -}}
{{- if eq (include "cadastre.publicTlsSource" .) "generated" -}}
{{- $parts = append $parts "public" -}}
{{- end -}}
{{- range $parts }}
{{- $part := dict "root" $root "name" . -}}
{{- $secret := include "cadastre.internalTlsSecret" $part -}}
{{- $old := (lookup "v1" "Secret" $root.Release.Namespace $secret).data }}
---
{{- if and $kept $old }}
{{ include "cadastre.tlsSecret" (merge (dict "secret" $secret
  "certificate" (index $old "tls.crt") "key" (index $old "tls.key") "authority" (index $old "ca.crt")) $part) }}
{{- else }}
{{- $names := include (ternary "cadastre.publicDnsNames" "cadastre.certificateDnsNames" (eq . "public")) $part | fromYamlArray -}}
{{- $new := genSignedCertWithKey (first $names) nil $names $days $authority (genPrivateKey "ecdsa") }}
{{ include "cadastre.tlsSecret" (merge (dict "secret" $secret
  "certificate" (b64enc $new.Cert) "key" (b64enc $new.Key) "authority" (b64enc $authority.Cert)) $part) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Takes: root, name, secret (its name), certificate, key, authority (each in Base64). */}}
{{- define "cadastre.tlsSecret" -}}
apiVersion: v1
kind: Secret
metadata:
  {{- include "cadastre.metadata" (dict "root" .root "name" .name "fullname" .secret) | nindent 2 }}
type: kubernetes.io/tls
data:
  tls.crt: {{ .certificate }}
  tls.key: {{ .key }}
  ca.crt: {{ .authority }}
{{- end -}}
