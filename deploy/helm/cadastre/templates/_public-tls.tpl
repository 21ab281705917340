{{/*
Where the certificate that the public sees comes from: "existing" Secret, "issuer" of cert-manager, "generated" by the
chart for evaluation, or "none" (each pod makes its own). Takes the root.
*/}}
{{- define "cadastre.publicTlsSource" -}}
{{- $tls := .Values.gateway.tls -}}
{{- if $tls.secretName -}}
existing
{{- else if $tls.issuerRef.name -}}
issuer
{{- else if eq (include "cadastre.internalTlsMode" .) "generated" -}}
generated
{{- else -}}
none
{{- end -}}
{{- end -}}

{{/* The Secret that holds it; empty when there is none. Takes the root. */}}
{{- define "cadastre.publicTlsSecret" -}}
{{- $source := include "cadastre.publicTlsSource" . -}}
{{- if eq $source "existing" -}}
{{ .Values.gateway.tls.secretName }}
{{- else if ne $source "none" -}}
{{ include "cadastre.fullname" . }}-public-tls
{{- end -}}
{{- end -}}

{{/* DNS names in it: those of the public, and the one inside the cluster. Takes: root. */}}
{{- define "cadastre.publicDnsNames" -}}
{{- $root := .root -}}
{{- $service := include "cadastre.name" (dict "root" $root "name" "gateway") -}}
{{- $names := list $root.Values.gateway.host $root.Values.gateway.certificateHost -}}
{{- if ne (include "cadastre.publicTlsSource" $root) "issuer" -}}
{{- $names = concat $names (list $service (printf "%s.%s.svc" $service $root.Release.Namespace) "localhost") -}}
{{- end -}}
{{- compact $names | uniq | toYaml -}}
{{- end -}}
