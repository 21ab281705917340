{{/*
The source of the public certificate: "existing" Secret, "issuer" of cert-manager, "generated" by the chart for
evaluation, or "none" (each pod generates its own). Takes the root.
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

{{/* The Secret with the public certificate; empty without one. Takes the root. */}}
{{- define "cadastre.publicTlsSecret" -}}
{{- $source := include "cadastre.publicTlsSource" . -}}
{{- if eq $source "existing" -}}
{{ .Values.gateway.tls.secretName }}
{{- else if ne $source "none" -}}
{{ include "cadastre.fullname" . }}-public-tls
{{- end -}}
{{- end -}}

{{/* Its DNS names: the public ones, and the one inside the cluster. Takes: root. */}}
{{- define "cadastre.publicDnsNames" -}}
{{- $root := .root -}}
{{- $service := include "cadastre.name" (dict "root" $root "name" "gateway") -}}
{{- $names := concat (list $root.Values.gateway.host $root.Values.gateway.certificateHost) $root.Values.gateway.extraHosts $root.Values.gateway.rdap.hosts -}}
{{- if ne (include "cadastre.publicTlsSource" $root) "issuer" -}}
{{- $names = concat $names (list $service (printf "%s.%s.svc" $service $root.Release.Namespace) "localhost") -}}
{{- end -}}
{{- compact $names | uniq | toYaml -}}
{{- end -}}
