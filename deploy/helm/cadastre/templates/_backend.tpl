{{/*
A gRPC service behind the gateway. Takes: root, name, values, calls (names of the services that it calls),
env (further settings of this service, a list as in a pod).
Its Service is headless, so that clients see every pod and balance calls over them.
*/}}
{{- define "cadastre.backend" -}}
{{- $variable := printf "CADASTRE_%s" (upper .name) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  replicas: {{ .values.replicas }}
  selector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "cadastre.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ include "cadastre.name" . }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        {{- include "cadastre.podSecurity" . | nindent 8 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: {{ .name }}
          image: {{ include "cadastre.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, services/{{ .name }}/dist/main.js]
          securityContext:
            {{- include "cadastre.containerSecurity" . | nindent 12 }}
          ports:
            - { name: grpc, containerPort: 9090 }
            - { name: operations, containerPort: 9091 }
          env:
            - name: {{ $variable }}_LISTEN
              value: 0.0.0.0:9090
            - name: {{ $variable }}_OPERATIONS
              value: 0.0.0.0:9091
            {{- if .values.database }}
            - name: {{ $variable }}_DATABASE_URL_FILE
              value: /run/secrets/database/url
            {{- end }}
            {{- include "cadastre.env" . | nindent 12 }}
            {{- with .env }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
          {{- include "cadastre.probes" . | nindent 10 }}
          lifecycle:
            preStop:
              sleep: { seconds: 3 }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            {{- include "cadastre.mounts" . | nindent 12 }}
      volumes:
        {{- include "cadastre.volumes" . | nindent 8 }}
      {{- include "cadastre.placement" . | nindent 6 }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  clusterIP: None
  selector:
    {{- include "cadastre.selectorLabels" . | nindent 4 }}
  ports:
    - { name: grpc, port: 9090, targetPort: grpc, appProtocol: grpc }
    - { name: operations, port: 9091, targetPort: operations }
---
# gRPC only from pods of this release; the operations port is for probes and metrics.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "cadastre.name" . }}
  labels:
    {{- include "cadastre.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              app.kubernetes.io/instance: {{ .root.Release.Name }}
      ports:
        - { port: grpc }
    - ports:
        - { port: operations }
---
{{ include "cadastre.accountAndBudget" . }}
{{- end -}}
