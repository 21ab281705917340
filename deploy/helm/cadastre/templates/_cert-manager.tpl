{{/*
Certificates by cert-manager, which renews them; the services load renewed ones without restart. Without an issuer in the
values the release gets its own CA, which certifies only its parts. Takes the root.
*/}}
{{- define "cadastre.certManagerCertificates" -}}
{{- $root := . -}}
{{- $values := .Values.internalTls.certManager -}}
{{- $issuer := $values.issuerRef -}}
{{- if not $issuer.name -}}
{{- $authority := include "cadastre.name" (dict "root" . "name" "authority") -}}
{{- $issuer = dict "name" $authority "kind" "Issuer" "group" "cert-manager.io" -}}
{{ include "cadastre.ownAuthority" (dict "root" . "name" "authority" "fullname" $authority) }}
{{- end }}
{{- range include "cadastre.certified" . | fromYamlArray }}
{{- $part := dict "root" $root "name" . }}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  {{- include "cadastre.metadata" (merge (dict "fullname" (include "cadastre.internalTlsSecret" $part)) $part) | nindent 2 }}
spec:
  secretName: {{ include "cadastre.internalTlsSecret" $part }}
  dnsNames:
    {{- include "cadastre.certificateDnsNames" $part | nindent 4 }}
  duration: {{ $values.duration }}
  renewBefore: {{ $values.renewBefore }}
  privateKey:
    algorithm: ECDSA
    size: 256
    rotationPolicy: Always
  usages: [digital signature, server auth, client auth]
  issuerRef:
    {{- toYaml $issuer | nindent 4 }}
{{- end }}
{{- end -}}

{{/* A self-signed CA of the release. Takes: root, name, fullname. */}}
{{- define "cadastre.ownAuthority" -}}
apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  {{- include "cadastre.metadata" (merge (dict "fullname" (printf "%s-root" .fullname)) .) | nindent 2 }}
spec:
  selfSigned: {}
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  isCA: true
  commonName: {{ .fullname }}
  secretName: {{ .fullname }}
  duration: 87600h
  renewBefore: 8760h
  privateKey:
    algorithm: ECDSA
    size: 256
  issuerRef:
    name: {{ .fullname }}-root
    kind: Issuer
    group: cert-manager.io
---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  ca:
    secretName: {{ .fullname }}
{{- end -}}
