{{/* Pod security as in the "restricted" profile of Kubernetes. Takes the user's number. */}}
{{- define "cadastre.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "cadastre.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* A service account without rights or mounted token. Takes: root, name, annotations (optional), values (optional). */}}
{{- define "cadastre.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
  {{- with merge (dict) (.annotations | default dict) ((.values).serviceAccountAnnotations | default dict) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
