{{/*
The location of a store: {secret, key, evaluation}. The operator's Secret if one is named, otherwise the one that the
chart creates for evaluation. Takes: root, given ({secretName, key}), name (of the chart's own Secret, without prefix).
*/}}
{{- define "cadastre.store" -}}
{{- if .given.secretName -}}
secret: {{ .given.secretName }}
key: {{ .given.key }}
evaluation: false
{{- else -}}
secret: {{ include "cadastre.name" . }}
key: url
evaluation: true
{{- end -}}
{{- end -}}

{{/* Takes: root, name (objects, auth, search or mirror). */}}
{{- define "cadastre.database" -}}
{{- include "cadastre.store" (dict "root" .root "given" (get .root.Values .name).database "name" (printf "%s-database" .name)) -}}
{{- end -}}

{{/* Services with a database in PostgreSQL. Takes the root. */}}
{{- define "cadastre.databaseOwners" -}}
- objects
- auth
{{- if and .Values.search.database.secretName .Values.search.database.drop }}
- search
{{- end }}
{{- if .Values.mirror.enabled }}
- mirror
{{- end }}
{{- end -}}

{{/* Services whose database is part of the release. Takes the root. */}}
{{- define "cadastre.ownDatabases" -}}
{{- range include "cadastre.databaseOwners" . | fromYamlArray }}
{{- if not (get $.Values .).database.secretName }}
- {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Services whose database is in the chart's PostgreSQL for evaluation. Takes the root. */}}
{{- define "cadastre.evaluationDatabases" -}}
{{- if not .Values.cloudNativePg.enabled }}
{{- include "cadastre.ownDatabases" . }}
{{- end }}
{{- end -}}

{{/* The database connection of a service: {settings, files, uses, parts}. Takes: root, name. */}}
{{- define "cadastre.databaseNeeds" -}}
{{- $database := include "cadastre.database" . | fromYaml -}}
{{- $isInCluster := has .name (include "cadastre.clusterDatabases" .root | fromYamlArray) -}}
{{- $ca := (get .root.Values .name).database.caSecretName -}}
{{- if $isInCluster -}}
{{- $ca = printf "%s-ca" (include "cadastre.clusterName" .root) -}}
{{- end -}}
settings:
  CADASTRE_DATABASE_URL_FILE: /run/files/database/url
  {{- if $ca }}
  CADASTRE_STORE_CA_FILE: /run/files/database-ca/ca.crt
  {{- end }}
files:
  - name: database
    secret: {{ $database.secret }}
    items: { url: {{ $database.key }} }
  {{- if $ca }}
  - name: database-ca
    secret: {{ $ca }}
    items: { ca.crt: ca.crt }
  {{- end }}
{{- if and $database.evaluation (not $isInCluster) }}
uses: []
parts: { postgresql: [5432] }
{{- else }}
uses: [postgresql]
parts: {}
{{- end }}
{{- end -}}

{{/* The connection of a service to read replicas of its database: {settings, files, uses}. Takes: root, name. */}}
{{- define "cadastre.readReplicaNeeds" -}}
{{- with (get .root.Values .name).readReplicas -}}
{{- if .secretName -}}
settings:
  CADASTRE_OBJECTS_READ_DATABASE_URL_FILE: /run/files/read-replicas/url
files:
  - name: read-replicas
    secret: {{ .secretName }}
    items: { url: {{ .key }} }
uses: [postgresql]
{{- else -}}
settings: {}
files: []
uses: []
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The OpenSearch connection of search: {settings, files, uses, parts}. Takes the root. */}}
{{- define "cadastre.opensearchNeeds" -}}
{{- $given := .Values.search.opensearch -}}
{{- $store := include "cadastre.store" (dict "root" . "given" $given "name" "opensearch") | fromYaml -}}
settings:
  CADASTRE_SEARCH_OPENSEARCH_URL_FILE: /run/files/opensearch/url
  CADASTRE_SEARCH_OPENSEARCH_PREFIX: {{ $given.prefix | default (include "cadastre.fullname" .) }}
  CADASTRE_SEARCH_OPENSEARCH_SHARDS: {{ $given.shards | quote }}
  CADASTRE_SEARCH_OPENSEARCH_REPLICAS: {{ $given.replicas | quote }}
  {{- if $given.caSecretName }}
  CADASTRE_STORE_CA_FILE: /run/files/opensearch-ca/ca.crt
  {{- end }}
  {{- if $given.certificateSecretName }}
  CADASTRE_SEARCH_OPENSEARCH_CERT_FILE: /run/files/opensearch-certificate/tls.crt
  CADASTRE_SEARCH_OPENSEARCH_KEY_FILE: /run/files/opensearch-certificate/tls.key
  {{- end }}
files:
  - name: opensearch
    secret: {{ $store.secret }}
    items: { url: {{ $store.key }} }
  {{- with $given.caSecretName }}
  - name: opensearch-ca
    secret: {{ . }}
    items: { ca.crt: ca.crt }
  {{- end }}
  {{- with $given.certificateSecretName }}
  - name: opensearch-certificate
    secret: {{ . }}
  {{- end }}
{{- if $store.evaluation }}
uses: []
parts: { opensearch: [9200] }
{{- else }}
uses: [opensearch]
parts: {}
{{- end }}
{{- end -}}

{{/* The Redis connection of the gateway: {settings, files, uses, parts}. Takes the root. */}}
{{- define "cadastre.redisNeeds" -}}
{{- $given := .Values.gateway.redis -}}
{{- $store := include "cadastre.store" (dict "root" . "given" $given "name" "redis") | fromYaml -}}
settings:
  CADASTRE_REDIS_URL_FILE: /run/files/redis/url
  {{- if $given.caSecretName }}
  CADASTRE_STORE_CA_FILE: /run/files/redis-ca/ca.crt
  {{- end }}
files:
  - name: redis
    secret: {{ $store.secret }}
    items: { url: {{ $store.key }} }
  {{- with $given.caSecretName }}
  - name: redis-ca
    secret: {{ . }}
    items: { ca.crt: ca.crt }
  {{- end }}
{{- if $store.evaluation }}
uses: []
parts: { redis: [6379] }
{{- else }}
uses: [redis]
parts: {}
{{- end }}
{{- end -}}
