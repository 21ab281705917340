{{/*
Files from Secrets, ConfigMaps and volumes. Takes: files, a list of {name, secret, configMap or claim (its name), items
(file -> key; all keys unless given), path (default: /run/files/NAME), writable (what the pod writes to), own ({size,
storageClass, claim (never on the disk of the node)}: a volume of the pod alone, which is empty at first)}.
*/}}
{{- define "cadastre.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- range .files }}
- name: {{ .name }}
  mountPath: {{ .path | default (printf "/run/files/%s" .name) }}
  {{- if not .writable }}
  readOnly: true
  {{- end }}
{{- end }}
{{- end -}}

{{/* Takes the same, and: scratch, the size of /tmp (default 64Mi). */}}
{{- define "cadastre.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: {{ .scratch | default "64Mi" }}
{{- range .files }}
- name: {{ .name }}
  {{- if .own }}
  {{- if or .own.storageClass .own.claim }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        {{- with .own.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources:
          requests:
            storage: {{ .own.size }}
  {{- else }}
  emptyDir:
    {{- with .own.size }}
    sizeLimit: {{ . }}
    {{- else }} {}
    {{- end }}
  {{- end }}
  {{- else if .claim }}
  {{- /* Mounts are read only, volumes are not: Kubernetes gives a volume to its group when the first pod mounts it. */}}
  persistentVolumeClaim:
    claimName: {{ .claim }}
  {{- else if .secret }}
  secret:
    secretName: {{ .secret }}
    defaultMode: 0440
  {{- else }}
  configMap:
    name: {{ .configMap }}
    defaultMode: 0440
  {{- end }}
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
