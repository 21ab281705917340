{{/* Secret with the certificate that a service shows to the others; empty without internal TLS. Takes: root, name. */}}
{{- define "cadastre.internalTlsSecret" -}}
{{- with .root.Values.internalTls.secretPrefix }}{{ . }}-{{ $.name }}{{ end -}}
{{- end -}}

{{/* Settings of every service. Takes: root, name, values, calls (names of the services that it calls). */}}
{{- define "cadastre.env" -}}
- name: CADASTRE_ENVIRONMENT
  value: {{ .root.Values.environment }}
- name: CADASTRE_SOURCE
  value: {{ .root.Values.source | quote }}
- name: CADASTRE_GRS_SOURCES
  value: {{ join "," .root.Values.grsSources | quote }}
- name: CADASTRE_LOG_LEVEL
  value: {{ .root.Values.logLevel }}
{{- if include "cadastre.internalTlsSecret" . }}
- name: CADASTRE_TLS_CERT_FILE
  value: /run/secrets/internal-tls/tls.crt
- name: CADASTRE_TLS_KEY_FILE
  value: /run/secrets/internal-tls/tls.key
- name: CADASTRE_TLS_CA_FILE
  value: /run/secrets/internal-tls/ca.crt
{{- end }}
{{- range .calls }}
- name: CADASTRE_{{ upper . }}_ADDRESS
  value: {{ include "cadastre.name" (dict "root" $.root "name" .) }}:9090
{{- end }}
{{- range $name, $value := .values.env }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Secrets as files. Takes: root, name, values. */}}
{{- define "cadastre.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "cadastre.internalTlsSecret" . }}
- name: internal-tls
  mountPath: /run/secrets/internal-tls
  readOnly: true
{{- end }}
{{- if .values.database }}
- name: database
  mountPath: /run/secrets/database
  readOnly: true
{{- end }}
{{- if (.values.directory).secretName }}
- name: directory
  mountPath: /run/secrets/directory
  readOnly: true
{{- end }}
{{- end -}}

{{- define "cadastre.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with include "cadastre.internalTlsSecret" . }}
- name: internal-tls
  secret:
    secretName: {{ . }}
    defaultMode: 0440
{{- end }}
{{- with .values.database }}
- name: database
  secret:
    secretName: {{ .secretName }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: url
{{- end }}
{{- with .values.directory }}
{{- if .secretName }}
- name: directory
  secret:
    secretName: {{ .secretName }}
    defaultMode: 0440
    items:
      - key: {{ .key }}
        path: token
{{- end }}
{{- end }}
{{- end -}}

{{/* Pod security as in the "restricted" profile of Kubernetes. */}}
{{- define "cadastre.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "cadastre.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "cadastre.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* /live: restart me. /ready: send me requests. */}}
{{- define "cadastre.probes" -}}
startupProbe:
  httpGet: { path: /live, port: operations }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /live, port: operations }
  periodSeconds: 10
readinessProbe:
  httpGet: { path: /ready, port: operations }
  periodSeconds: 5
{{- end -}}

{{/* Where the pods may run. Takes: values. */}}
{{- define "cadastre.placement" -}}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Account without rights, and a disruption budget where there is more than one pod. Takes: root, name, values. */}}
{{- define "cadastre.accountAndBudget" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
automountServiceAccountToken: false
{{- if gt (int .values.replicas) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
{{- end }}
{{- end -}}
