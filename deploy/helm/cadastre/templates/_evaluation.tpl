{{/* The stores of the chart itself, for which the values name no Secret. Takes the root. */}}
{{- define "cadastre.evaluationParts" -}}
{{- if include "cadastre.evaluationDatabases" . | fromYamlArray }}
- postgresql
{{- end }}
{{- if not .Values.gateway.redis.secretName }}
- redis
{{- end }}
{{- if and (eq .Values.search.adapter "opensearch") (not .Values.search.opensearch.secretName) }}
- opensearch
{{- end }}
{{- end -}}

{{/*
One pod of a store, for evaluation. Takes:
  root, name, values   name of the part, its values
  user                 number of the user that its image runs as
  port                 its port
  data                 directory of its data, on a volume with evaluation.persistence; empty: no data
  writable             further directories that it writes to
  callers              parts that use it
  pod                  containers, volumes and the rest, as text: see the templates that include this
*/}}
{{- define "cadastre.evaluationStore" -}}
{{- $persistence := .root.Values.evaluation.persistence -}}
{{- $keeps := and .data $persistence.enabled -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  serviceName: {{ include "cadastre.name" . }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "cadastre.podLabels" . | nindent 8 }}
      {{- with .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "cadastre.name" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: 60
      securityContext:
        {{- include "cadastre.podSecurity" .user | nindent 8 }}
      {{- include "cadastre.pullSecrets" .root | nindent 6 }}
      {{- .pod | nindent 6 }}
        {{- range .writable }}
        - name: {{ base . }}
          emptyDir: {}
        {{- end }}
        {{- if and .data (not $keeps) }}
        - name: data
          emptyDir: {}
        {{- end }}
      {{- with .root.Values.pod }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
  {{- if $keeps }}
  volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        labels:
          {{- include "cadastre.selectorLabels" . | nindent 10 }}
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $persistence.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ $persistence.size }}
  {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  {{- include "cadastre.ipFamilies" . | nindent 2 }}
  selector:
    {{- include "cadastre.selectorLabels" . | nindent 4 }}
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
---
{{ include "cadastre.account" . }}
{{ $ingress := list (dict "ports" (list .name) "callers" .callers) -}}
{{ include "cadastre.networkPolicy" (dict "root" .root "name" .name "ingress" $ingress) }}
{{- end -}}

{{/* The mounts of such a pod. Takes: data, writable. */}}
{{- define "cadastre.evaluationMounts" -}}
{{- range .writable }}
- name: {{ base . }}
  mountPath: {{ . }}
{{- end }}
{{- with .data }}
- name: data
  mountPath: {{ . }}
{{- end }}
{{- end -}}

{{/*
Whether a service adds its own database to the evaluation database: one that a version before that service made lacks it.
Takes what "cadastre.backend" takes.
*/}}
{{- define "cadastre.makesDatabase" -}}
{{- if and (eq .name "mirror") (hasKey .parts "postgresql") -}}true{{- end -}}
{{- end -}}

{{/*
Files of the init steps alone, in the form of "cadastre.mounts": the password of PostgreSQL's superuser, and what to run.
Takes what "cadastre.backend" takes.
*/}}
{{- define "cadastre.beforeStartFiles" -}}
{{- if include "cadastre.makesDatabase" . }}
- name: postgresql
  secret: {{ include "cadastre.name" (dict "root" .root "name" "postgresql") }}
  items: { password: postgresql, databases.sql: databases.sql }
{{- end }}
{{- end -}}

{{/*
Init steps of a service whose store comes with the release: wait for it, make the database if need be, and migrate it. A
job cannot do that, because the store does not exist before the release. Takes what "cadastre.backend" takes.
*/}}
{{- define "cadastre.beforeStart" -}}
{{- $isInCluster := has .name (include "cadastre.clusterDatabases" .root | fromYamlArray) -}}
{{- $parts := merge (ternary (dict "postgresql-rw" (list 5432)) dict $isInCluster) .parts -}}
{{- range $part, $ports := $parts }}
- name: wait-for-{{ $part }}
  image: {{ include "cadastre.image" $ }}
  imagePullPolicy: {{ $.root.Values.image.pullPolicy }}
  command:
    - node
    - --eval
    - |
      const [host, port] = process.argv.slice(1);
      const look = () => require('node:net').connect({ host, port, timeout: 2000 }, () => process.exit())
        .on('timeout', function () { this.destroy(new Error('no answer')); })
        .on('error', (error) => { console.log(error.message); setTimeout(look, 1000); });
      look();
    - {{ include "cadastre.name" (dict "root" $.root "name" $part) }}
    - {{ first $ports | quote }}
  securityContext:
    {{- include "cadastre.containerSecurity" $ | nindent 4 }}
  resources:
    {{- toYaml $.values.resources | nindent 4 }}
{{- end }}
{{- if include "cadastre.makesDatabase" . }}
- name: make-database
  image: {{ .root.Values.evaluation.postgresql.image }}
  command:
    - sh
    - -c
    - >-
      PGPASSWORD=$(cat /run/files/postgresql/password)
      psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --host "$0" --username postgres
      --file /run/files/postgresql/databases.sql
    - {{ include "cadastre.name" (dict "root" .root "name" "postgresql") }}
  securityContext:
    {{- include "cadastre.containerSecurity" . | nindent 4 }}
  resources:
    {{- toYaml .root.Values.migrate.resources | nindent 4 }}
  volumeMounts:
    - { name: postgresql, mountPath: /run/files/postgresql, readOnly: true }
{{- end }}
{{- if or $isInCluster (hasKey .parts "postgresql") }}
- name: migrate
  image: {{ include "cadastre.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  args: [migrate]
  securityContext:
    {{- include "cadastre.containerSecurity" . | nindent 4 }}
  env:
    {{- include "cadastre.migrationEnv" . | nindent 4 }}
  resources:
    {{- toYaml .root.Values.migrate.resources | nindent 4 }}
  volumeMounts:
    {{- include "cadastre.mounts" . | nindent 4 }}
{{- end }}
{{- end -}}

{{/* Settings of a migration. Takes: root, settings (those that name the database). */}}
{{- define "cadastre.migrationEnv" -}}
{{- $database := dict -}}
{{- range $name, $value := .settings -}}
{{- if or (hasSuffix "_DATABASE_URL_FILE" $name) (eq $name "CADASTRE_STORE_CA_FILE") -}}
{{- $_ := set $database $name $value -}}
{{- end -}}
{{- end -}}
{{- include "cadastre.variables" (merge $database (dict "CADASTRE_ENVIRONMENT" .root.Values.environment "CADASTRE_LOG_LEVEL" .root.Values.logLevel)) -}}
{{- end -}}
