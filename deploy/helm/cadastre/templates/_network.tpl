{{/* The IP families of a Service. Takes: root. */}}
{{- define "cadastre.ipFamilies" -}}
{{- with .root.Values.network.ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .root.Values.network.ipFamilies }}
ipFamilies: {{ toJson . }}
{{- end }}
{{- end -}}

{{/* The address that pods listen on: of both families, where the Services may have IPv6. Takes: root. */}}
{{- define "cadastre.anyAddress" -}}
{{- $network := .root.Values.network -}}
{{- if or (has "IPv6" $network.ipFamilies) (hasSuffix "DualStack" $network.ipFamilyPolicy) }}[::]{{ else }}0.0.0.0{{ end -}}
{{- end -}}

{{/*
A Service for everybody. Takes: root, name, fullname (optional), service (its values), ports (Service port and target port
by name).
*/}}
{{- define "cadastre.publicService" -}}
{{- $service := .service -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "cadastre.metadata" (merge (dict "annotations" $service.annotations) .) | nindent 2 }}
spec:
  type: {{ $service.type }}
  {{- include "cadastre.ipFamilies" . | nindent 2 }}
  {{- if ne $service.type "ClusterIP" }}
  externalTrafficPolicy: {{ $service.externalTrafficPolicy }}
  {{- end }}
  {{- if eq $service.type "LoadBalancer" }}
  {{- with $service.loadBalancerClass }}
  loadBalancerClass: {{ . }}
  {{- end }}
  {{- with $service.loadBalancerSourceRanges }}
  loadBalancerSourceRanges:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  selector:
    {{- include "cadastre.selectorLabels" . | nindent 4 }}
  ports:
    {{- range .ports }}
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
    {{- end }}
{{- end -}}

{{/*
The allowed connections to and from a part; nothing else. Takes:
  root, name
  ingress       list of {ports (names or numbers), callers (parts of this release), peers (as in a NetworkPolicy; open: everyone)}
  calls         names of the services that it calls by gRPC
  uses          its destinations outside: keys of networkPolicy.outside
  parts         parts of this release that it uses: name -> list of ports
  values        its values, for extraEgress
  annotations   optional
*/}}
{{- define "cadastre.networkPolicy" -}}
{{- if .root.Values.networkPolicy.enabled -}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "cadastre.selectorLabels" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  {{- with .ingress }}
  ingress:
    {{- range . }}
    {{- if or .open .callers .peers }}
    {{- include "cadastre.ingressRule" (dict "root" $.root "rule" .) | nindent 4 }}
    {{- end }}
    {{- end }}
  {{- end }}
  egress:
    - ports:
        - { port: 53, protocol: UDP }
        - { port: 53, protocol: TCP }
    {{- range .calls }}
    {{- include "cadastre.egressToPart" (dict "root" $.root "name" . "ports" (list 9090)) | nindent 4 }}
    {{- end }}
    {{- range $name, $ports := .parts }}
    {{- include "cadastre.egressToPart" (dict "root" $.root "name" $name "ports" $ports) | nindent 4 }}
    {{- end }}
    {{- range .uses }}
    {{- $outside := get $.root.Values.networkPolicy.outside . }}
    {{- include "cadastre.egressOutside" (ternary (merge (dict "from" 1024) $outside) $outside (eq . "ftp")) | nindent 4 }}
    {{- end }}
    {{- if and .values .root.Values.tracing.endpoint }}
    {{- include "cadastre.egressOutside" .root.Values.networkPolicy.outside.tracing | nindent 4 }}
    {{- end }}
    {{- with (.values).extraEgress }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
{{- end -}}

{{- define "cadastre.ingressRule" -}}
- ports:
    {{- range .rule.ports }}
    - { port: {{ . }} }
    {{- end }}
  {{- if not .rule.open }}
  from:
    {{- range .rule.callers }}
    - podSelector:
        matchLabels:
          {{- include "cadastre.selectorLabels" (dict "root" $.root "name" .) | nindent 10 }}
    {{- end }}
    {{- with .rule.peers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- end }}
{{- end -}}

{{- define "cadastre.egressToPart" -}}
- to:
    - podSelector:
        matchLabels:
          {{- include "cadastre.selectorLabels" . | nindent 10 }}
  ports:
    {{- range .ports }}
    - { port: {{ . }} }
    {{- end }}
{{- end -}}

{{- define "cadastre.egressOutside" -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }} }
    {{- end }}
    {{- with .from }}
    - { port: {{ . }}, endPort: 65535 }
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* The rule for the port of health and metrics. Takes the root. */}}
{{- define "cadastre.monitoringIngress" -}}
ports: [operations]
{{- with .Values.networkPolicy.monitoring }}
peers:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
