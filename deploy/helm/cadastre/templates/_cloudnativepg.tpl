{{/* Services whose database is in the chart's cluster of CloudNativePG. Takes the root. */}}
{{- define "cadastre.clusterDatabases" -}}
{{- if .Values.cloudNativePg.enabled }}
{{- include "cadastre.ownDatabases" . }}
{{- end }}
{{- end -}}

{{/* Name of the cluster; the operator adds "-rw" for the Service that leads to the primary. Takes the root. */}}
{{- define "cadastre.clusterName" -}}
{{ include "cadastre.name" (dict "root" . "name" "postgresql") }}
{{- end -}}

{{/*
Maximum number of connections of a service to its database: of all its pods, and of one more during an upgrade. The
numbers of a pod are in docs/operate/operations.md. Takes: root, name.
*/}}
{{- define "cadastre.connections" -}}
{{- $values := get .root.Values .name -}}
{{- $env := merge (deepCopy $values.env) .root.Values.env -}}
{{- $ofPod := 7 -}}
{{- if eq .name "objects" -}}
{{- $read := get $env "CADASTRE_OBJECTS_READ_CONNECTIONS" | default "4" | int -}}
{{- $ofPod = add 10 $read (get $env "CADASTRE_OBJECTS_WRITE_CONNECTIONS" | default "10" | int) -}}
{{- else if eq .name "mirror" -}}
{{- $ofPod = 6 -}}
{{- end -}}
{{- $pods := ternary $values.autoscaling.maxReplicas $values.replicas $values.autoscaling.enabled -}}
{{ mul $ofPod (add 1 $pods) }}
{{- end -}}

{{/* What max_connections must be for the given services. Takes: root, names. */}}
{{- define "cadastre.maxConnections" -}}
{{- $sum := 20 -}}
{{- range .names -}}
{{- $sum = add $sum (include "cadastre.connections" (dict "root" $.root "name" .) | int) -}}
{{- end -}}
{{ max 100 $sum }}
{{- end -}}

{{/*
The specification of the cluster, as far as the chart decides it. A commit waits for the standbys, so nothing
acknowledged is lost in a failover. Takes the root.
*/}}
{{- define "cadastre.clusterSpec" -}}
{{- $given := .Values.cloudNativePg -}}
{{- $owners := include "cadastre.clusterDatabases" . | fromYamlArray -}}
instances: {{ $given.instances }}
imageName: {{ $given.image }}
postgresql:
  parameters:
    max_connections: {{ include "cadastre.maxConnections" (dict "root" . "names" $owners) | quote }}
  {{- if gt (int $given.synchronousStandbys) 0 }}
  synchronous:
    method: any
    number: {{ $given.synchronousStandbys }}
    dataDurability: required
  {{- end }}
storage:
  size: {{ $given.storage.size }}
  {{- with $given.storage.storageClass }}
  storageClass: {{ . }}
  {{- end }}
resources:
  {{- toYaml $given.resources | nindent 2 }}
managed:
  roles:
    {{- range $owners }}
    - name: {{ . }}
      ensure: present
      login: true
      passwordSecret:
        name: {{ include "cadastre.name" (dict "root" $ "name" (printf "%s-database" .)) }}
    {{- end }}
{{- end -}}
