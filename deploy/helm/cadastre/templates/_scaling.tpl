{{/* Autoscaling, and a disruption budget for more than one pod. Takes: root, name, values. */}}
{{- define "cadastre.scaling" -}}
{{- $scaling := .values.autoscaling -}}
{{- if $scaling.enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "cadastre.name" . }}
  minReplicas: {{ .values.replicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ $scaling.cpuPercent }}
  behavior:
    scaleDown:
      stabilizationWindowSeconds: 300
{{- end }}
{{- if gt (int .values.replicas) 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
{{- end }}
{{- end -}}
