{{/*
Passwords of the evaluation database: made once, then kept over upgrades, and kept beside the volume when the release
goes. Every owner gets a role, a database and a Secret with the URL. databases.sql leaves those that are there, so that it
may run again, by several at a time. Takes: root, name, owners.
*/}}
{{- define "cadastre.postgresqlSecrets" -}}
{{- $root := .root -}}
{{- $host := include "cadastre.name" . -}}
{{- $kept := (lookup "v1" "Secret" .root.Release.Namespace $host).data | default dict -}}
{{- $passwords := dict -}}
{{- $annotations := ternary (dict "helm.sh/resource-policy" "keep") dict .root.Values.evaluation.persistence.enabled -}}
{{- range prepend .owners "postgresql" -}}
{{- $_ := set $passwords . (ternary (get $kept . | b64dec) (randAlphaNum 32) (hasKey $kept .)) -}}
{{- end -}}
apiVersion: v1
kind: Secret
metadata:
  {{- include "cadastre.metadata" (dict "root" .root "name" .name "annotations" $annotations) | nindent 2 }}
stringData:
  {{- range $name, $password := $passwords }}
  {{ $name }}: {{ $password | quote }}
  {{- end }}
  databases.sql: |
    select pg_advisory_lock(1);
    {{- range .owners }}
    select 'create role {{ . }} login' where not exists (select from pg_roles where rolname = '{{ . }}') \gexec
    alter role {{ . }} password '{{ get $passwords . }}';
    select 'create database {{ . }} owner {{ . }}' where not exists (select from pg_database where datname = '{{ . }}') \gexec
    revoke connect on database {{ . }} from public;
    {{- end }}
{{- range .owners }}
{{- if not (get $root.Values .).database.secretName }}
{{- $part := dict "root" $root "name" (printf "%s-database" .) }}
---
apiVersion: v1
kind: Secret
metadata:
  {{- include "cadastre.metadata" $part | nindent 2 }}
stringData:
  url: postgresql://{{ . }}:{{ get $passwords . }}@{{ $host }}:5432/{{ . }}
{{- end }}
{{- end }}
{{- end -}}
