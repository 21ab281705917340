{{/* The names of the services that the values switch on, as JSON. Takes the root. */}}
{{- define "cadastre.services" -}}
{{- $services := list -}}
{{- range list "gateway" "objects" "auth" "search" "events" "whois" "mirror" -}}
{{- if dig "enabled" true (get $.Values .) -}}
{{- $services = append $services . -}}
{{- end -}}
{{- end -}}
{{- toJson $services -}}
{{- end -}}

{{/* The values of a service, as JSON: its own over those of every service. Takes: root, name. */}}
{{- define "cadastre.values" -}}
{{- $values := merge (dict "env" dict "pod" dict) (deepCopy .root.Values.defaults) -}}
{{- include "cadastre.overlay" (dict "under" $values "over" (get .root.Values .name)) -}}
{{- toJson $values -}}
{{- end -}}

{{/* Puts the entries of a map over those of another one, maps in maps too; null removes. Takes: under, over. */}}
{{- define "cadastre.overlay" -}}
{{- range $key, $value := .over -}}
{{- if kindIs "invalid" $value -}}
{{- $_ := unset $.under $key -}}
{{- else if and (kindIs "map" $value) (kindIs "map" (get $.under $key)) -}}
{{- include "cadastre.overlay" (dict "under" (get $.under $key) "over" $value) -}}
{{- else -}}
{{- $_ := set $.under $key $value -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What the probes ask from outside, as JSON: the target of each dialect. Takes the root. */}}
{{- define "cadastre.probes" -}}
{{- $targets := dict -}}
{{- with .Values.monitoring.probes -}}
{{- range $dialect, $target := ternary .targets dict .enabled -}}
{{- with $target -}}
{{- $_ := set $targets $dialect . -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{ toJson $targets }}
{{- end -}}
