{{/* The stores of the chart itself, for which the values name no Secret. Takes the root. */}}
{{- define "cadastre.evaluationParts" -}}
{{- if include "cadastre.ownDatabases" . | fromYamlArray }}
- postgresql
{{- end }}
{{- if not .Values.gateway.redis.secretName }}
- redis
{{- end }}
{{- end -}}

{{/*
One pod of a store, for evaluation. Takes:
  root, name   name of the part, also of its values in evaluation
  user         number of the user that its image runs as
  port         its port
  data         directory of its data, on a volume with evaluation.persistence; empty: no data
  writable     further directories that it writes to, besides /tmp
  files        as for "cadastre.mounts"
  callers      parts that use it
  container    the rest of its container, as text
*/}}
{{- define "cadastre.evaluationStore" -}}
{{- $values := get .root.Values.evaluation .name -}}
{{- $persistence := .root.Values.evaluation.persistence -}}
{{- $keeps := and .data $persistence.enabled -}}
{{- $disk := dict "size" "" -}}
{{- $files := .files -}}
{{- range .writable -}}
{{- $files = append $files (dict "name" (base .) "path" . "own" $disk "writable" true) -}}
{{- end -}}
{{- $volumes := dict "scratch" "1Gi" "files" $files -}}
{{- with .data -}}
{{- $data := dict "name" "data" "path" . "own" $disk "writable" true -}}
{{- if not $keeps -}}
{{- $_ := set $volumes "files" (append $files $data) -}}
{{- end -}}
{{- $files = append $files $data -}}
{{- end -}}
{{- $container := dict "root" .root "as" .name "image" $values.image "resources" $values.resources -}}
{{- $pod := dict "graceSeconds" 60 "volumes" (include "cadastre.volumes" $volumes) -}}
{{- $_ := set $pod "containers" (printf "- %s\n  ports:\n    - { name: %s, containerPort: %v }%s\n  volumeMounts:%s"
  (include "cadastre.container" $container | nindent 2 | trim) .name .port (.container | nindent 2)
  (include "cadastre.mounts" (dict "files" $files) | nindent 4)) -}}
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  serviceName: {{ include "cadastre.name" . }}
  replicas: 1
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  template:
    {{- include "cadastre.podTemplate" (merge $pod .) | nindent 4 }}
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
  {{- include "cadastre.metadata" . | nindent 2 }}
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
{{- $own := dict "root" .root "name" .name "resources" .values.resources -}}
{{- $migration := .root.Values.migrate.resources -}}
{{- range $part, $ports := .parts }}
- {{ include "cadastre.container" (merge (dict "as" (printf "wait-for-%s" $part)) $own) | nindent 2 | trim }}
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
{{- end }}
{{- if include "cadastre.makesDatabase" . }}
- {{ include "cadastre.container" (dict "as" "make-database" "image" .root.Values.evaluation.postgresql.image "resources" $migration) | nindent 2 | trim }}
  command:
    - sh
    - -c
    - >-
      PGPASSWORD=$(cat /run/files/postgresql/password)
      psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --host "$0" --username postgres
      --file /run/files/postgresql/databases.sql
    - {{ include "cadastre.name" (dict "root" .root "name" "postgresql") }}
  volumeMounts:
    - { name: postgresql, mountPath: /run/files/postgresql, readOnly: true }
{{- end }}
{{- if hasKey .parts "postgresql" }}
- {{ include "cadastre.migration" . | nindent 2 | trim }}
{{- end }}
{{- end -}}

{{/* The container of a migration. Takes: root, name (of the service), settings and files (of its database). */}}
{{- define "cadastre.migration" -}}
{{- $settings := dict "CADASTRE_ENVIRONMENT" .root.Values.environment "CADASTRE_LOG_LEVEL" .root.Values.logLevel -}}
{{- range $name, $value := .settings -}}
{{- if or (hasSuffix "_DATABASE_URL_FILE" $name) (eq $name "CADASTRE_STORE_CA_FILE") -}}
{{- $_ := set $settings $name $value -}}
{{- end -}}
{{- end -}}
{{ include "cadastre.container" (dict "root" .root "name" .name "as" "migrate" "resources" .root.Values.migrate.resources) }}
args: [migrate]
env:
  {{- include "cadastre.variables" $settings | nindent 2 }}
volumeMounts:
  {{- include "cadastre.mounts" . | nindent 2 }}
{{- end -}}
