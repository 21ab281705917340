{{/*
The connection to a store: {settings, files, uses, parts}. Without a Secret of the operator it is the one that the chart
brings for evaluation. Takes:
  root, given   the chart, the values of the store: secretName, key, caSecretName
  file          name of the file with its URL
  setting       the setting that names this file
  name          the chart's own Secret, without prefix
  part, port    the chart's own store, also the key of networkPolicy.outside
*/}}
{{- define "cadastre.storeNeeds" -}}
{{- $own := empty .given.secretName -}}
settings:
  {{ .setting }}: /run/files/{{ .file }}/url
  {{- if .given.caSecretName }}
  CADASTRE_STORE_CA_FILE: /run/files/{{ .file }}-ca/ca.crt
  {{- end }}
files:
  - name: {{ .file }}
    secret: {{ .given.secretName | default (include "cadastre.name" .) }}
    items: { url: {{ ternary "url" .given.key $own }} }
  {{- with .given.caSecretName }}
  - name: {{ $.file }}-ca
    secret: {{ . }}
    items: { ca.crt: ca.crt }
  {{- end }}
{{- if $own }}
uses: []
parts: { {{ .part }}: [{{ .port }}] }
{{- else }}
uses: [{{ .part }}]
parts: {}
{{- end }}
{{- end -}}

{{/* The database of a service, as for "cadastre.storeNeeds". Takes: root, name. */}}
{{- define "cadastre.databaseNeeds" -}}
{{- include "cadastre.storeNeeds" (dict "root" .root "given" (get .root.Values .name).database
  "file" "database" "setting" "CADASTRE_DATABASE_URL_FILE"
  "name" (printf "%s-database" .name) "part" "postgresql" "port" 5432) -}}
{{- end -}}

{{/* The Redis of the limits, as for "cadastre.storeNeeds". Takes the root. */}}
{{- define "cadastre.redisNeeds" -}}
{{- include "cadastre.storeNeeds" (dict "root" . "given" .Values.gateway.redis
  "file" "redis" "setting" "CADASTRE_REDIS_URL_FILE" "name" "redis" "part" "redis" "port" 6379) -}}
{{- end -}}

{{/* The OpenSearch of search, as for "cadastre.storeNeeds". Takes the root. */}}
{{- define "cadastre.opensearchNeeds" -}}
{{- include "cadastre.storeNeeds" (dict "root" . "given" .Values.search.opensearch
  "file" "opensearch" "setting" "CADASTRE_SEARCH_OPENSEARCH_URL_FILE" "name" "opensearch" "part" "opensearch" "port" 9200) -}}
{{- end -}}

{{/* What the proxy for connections to hosts of others needs: {settings, files, uses}; nothing without one. Takes the root. */}}
{{- define "cadastre.egressProxyNeeds" -}}
{{- $proxy := .Values.egressProxy -}}
{{- if $proxy.secretName -}}
settings: { CADASTRE_EGRESS_PROXY_FILE: /run/files/egress-proxy/url }
files:
  - { name: egress-proxy, secret: {{ $proxy.secretName }}, items: { url: {{ $proxy.key }} } }
uses: [egressProxy]
{{- else -}}
settings: {}
files: []
uses: []
{{- end -}}
{{- end -}}

{{/* Services with a database in PostgreSQL. Takes the root. */}}
{{- define "cadastre.databaseOwners" -}}
- objects
- auth
{{- if .Values.mirror.enabled }}
- mirror
{{- end }}
{{- end -}}

{{/* Services whose database is in the chart's PostgreSQL for evaluation. Takes the root. */}}
{{- define "cadastre.ownDatabases" -}}
{{- range include "cadastre.databaseOwners" . | fromYamlArray }}
{{- if not (get $.Values .).database.secretName }}
- {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
What max_connections must be if one server has all databases: for all pods of each service, and one more during an
upgrade. The numbers of a pod are in docs/operate/postgresql.md. Takes the root.
*/}}
{{- define "cadastre.maxConnections" -}}
{{- $sum := 20 -}}
{{- range include "cadastre.databaseOwners" . | fromYamlArray -}}
{{- $values := include "cadastre.values" (dict "root" $ "name" .) | fromJson -}}
{{- $env := merge $values.env $.Values.env -}}
{{- $ofPod := ternary 6 7 (eq . "mirror") -}}
{{- if eq . "objects" -}}
{{- $read := get $env "CADASTRE_OBJECTS_READ_CONNECTIONS" | default "4" | int -}}
{{- $ofPod = add 10 $read (get $env "CADASTRE_OBJECTS_WRITE_CONNECTIONS" | default "10" | int) -}}
{{- end -}}
{{- $pods := ternary $values.autoscaling.maxReplicas $values.replicas $values.autoscaling.enabled -}}
{{- $sum = add $sum (mul $ofPod (add 1 $pods)) -}}
{{- end -}}
{{ max 100 $sum }}
{{- end -}}
