{{/*
Files from existing Secrets and ConfigMaps, below /run/files/NAME. Takes: files, a list of
{name, secret or configMap (its name), items (file -> key; all keys unless given)}.
*/}}
{{- define "cadastre.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- range .files }}
- name: {{ .name }}
  mountPath: /run/files/{{ .name }}
  readOnly: true
{{- end }}
{{- end -}}

{{- define "cadastre.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- range .files }}
- name: {{ .name }}
  {{- if .secret }}
  secret:
    secretName: {{ .secret }}
  {{- else }}
  configMap:
    name: {{ .configMap }}
  {{- end }}
    defaultMode: 0440
    {{- with .items }}
    items:
      {{- range $path, $key := . }}
      - key: {{ $key }}
        path: {{ $path }}
      {{- end }}
    {{- end }}
{{- end }}
{{- end -}}

{{/* The operator's own files of a service, in the form of "cadastre.mounts". Takes the values of the service. */}}
{{- define "cadastre.ownFiles" -}}
{{- range $name, $source := .files }}
- name: {{ $name }}
  {{- with $source.secretName }}
  secret: {{ . }}
  {{- end }}
  {{- with $source.configMapName }}
  configMap: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}
