{{/*
A gRPC service behind the gateway. Takes:
  root, name, values   the chart, the service, its values
  calls                names of the services that it calls
  callers              names of the parts of this release that may call it
  settings             NAME -> value, of this service
  files                files from Secrets, as for "cadastre.mounts"
  uses                 its destinations outside: keys of networkPolicy.outside
  progressSeconds, podAnnotations, scratch
                       as for "cadastre.deployment"; optional
  parts                evaluation parts that it uses: name -> list of ports
  listens              further ports, name -> { port, callers, peers, open, as in "cadastre.networkPolicy" }; optional
Its Service is headless, so that clients see every pod and balance their calls. They find out themselves when a pod hangs
or fails (docs/adr/0035), so a pod leaves the Service only after 10 s: a slow second of the database, by which the checks
of all pods fail, takes none away.
*/}}
{{- define "cadastre.backend" -}}
{{- $address := include "cadastre.anyAddress" . -}}
{{- $settings := dict "CADASTRE_LISTEN" (printf "%s:9090" $address) "CADASTRE_OPERATIONS" (printf "%s:9091" $address) -}}
{{- $settings = merge $settings .settings -}}
{{- $first := include "cadastre.beforeStart" . -}}
{{- $ports := dict "grpc" 9090 -}}
{{- range $name, $listens := .listens -}}
{{- $ports = set $ports $name $listens.port -}}
{{- end -}}
{{- $firstFiles := include "cadastre.beforeStartFiles" . | fromYamlArray -}}
{{- $service := merge (dict "first" $first "firstFiles" $firstFiles "ports" $ports "settings" $settings "drainSeconds" 3 "graceSeconds" 30 "unreadySeconds" 10) . -}}
{{ include "cadastre.deployment" $service }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "cadastre.metadata" . | nindent 2 }}
spec:
  clusterIP: None
  {{- include "cadastre.ipFamilies" . | nindent 2 }}
  selector:
    {{- include "cadastre.selectorLabels" . | nindent 4 }}
  ports:
    - { name: grpc, port: 9090, targetPort: grpc, appProtocol: grpc }
    - { name: operations, port: 9091, targetPort: operations }
    {{- range $name, $listens := .listens }}
    - { name: {{ $name }}, port: {{ $listens.port }}, targetPort: {{ $name }}, appProtocol: {{ $name }} }
    {{- end }}
---
{{ include "cadastre.account" . }}
{{ include "cadastre.scaling" . }}
{{- $grpc := dict "ports" (list "grpc") "callers" .callers "peers" .root.Values.networkPolicy.operators -}}
{{- $monitoring := include "cadastre.monitoringIngress" .root | fromYaml }}
{{- $ingress := list $grpc $monitoring -}}
{{- range $name, $listens := .listens -}}
{{- $ingress = append $ingress (merge (dict "ports" (list $name)) $listens) -}}
{{- end }}
{{ include "cadastre.networkPolicy" (merge (dict "ingress" $ingress) .) }}
{{- end -}}
