{{/* All errors in the values that the schema cannot express, one line each. Takes the root. */}}
{{- define "cadastre.problems" -}}
{{- $evaluation := include "cadastre.evaluationParts" . | fromYamlArray -}}
{{- $production := eq .Values.environment "production" -}}
{{- $who := ternary "production" "evaluation.enabled=false" $production -}}
{{- if or $production (not .Values.evaluation.enabled) -}}
{{- range include "cadastre.ownDatabases" . | fromYamlArray }}
- {{ $who }} needs {{ . }}.database.secretName, a Secret with the URL of a PostgreSQL database
{{- end }}
{{- if has "redis" $evaluation }}
- {{ $who }} needs gateway.redis.secretName, a Secret with the URL of a Redis server
{{- end }}
{{- end }}
{{- if and (eq .Values.search.adapter "opensearch") (not .Values.search.opensearch.secretName) }}
- search.adapter=opensearch needs search.opensearch.secretName, a Secret with the URL of an OpenSearch cluster
{{- end }}
{{- $mode := include "cadastre.internalTlsMode" . -}}
{{- if and $production (eq $mode "generated") }}
- production needs internalTls.mode certManager, existing, or none behind a service mesh; generated is for evaluation
{{- end }}
{{- if and (eq $mode "existing") (not .Values.internalTls.secretPrefix) }}
- internalTls.mode existing needs internalTls.secretPrefix
{{- end }}
{{- if and $production (not .Values.gateway.baseUrl) }}
- production needs gateway.baseUrl, the public URL
{{- end }}
{{- if and $production (eq (include "cadastre.publicTlsSource" .) "none") }}
- production needs gateway.tls.secretName or gateway.tls.issuerRef, the public certificate
{{- end }}
{{- if and (eq (include "cadastre.publicTlsSource" .) "issuer") (not .Values.gateway.host) }}
- gateway.tls.issuerRef needs gateway.host, the name to certify
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.gateway.host) }}
- ingress.enabled needs gateway.host
{{- end }}
{{- if and .Values.gatewayApi.enabled (not .Values.gateway.host) }}
- gatewayApi.enabled needs gateway.host
{{- end }}
{{- with .Values.gatewayApi }}
{{- if and .enabled (not .className) (not .parentRefs) }}
- gatewayApi.enabled needs gatewayApi.className, or gatewayApi.parentRefs that name a Gateway
{{- end }}
{{- end }}
{{- with .Values.auth.oidc }}
{{- if and .issuer (not $.Values.gateway.baseUrl) }}
- auth.oidc.issuer needs gateway.baseUrl, where the browser returns to after sign-in
{{- end }}
{{- end }}
{{- if and .Values.monitoring.probes.enabled (not .Values.monitoring.probes.exporter) }}
- monitoring.probes.enabled needs monitoring.probes.exporter, HOST:PORT of a Prometheus blackbox exporter
{{- end }}
{{- with .Values.restoreDrill }}
{{- if and .enabled (not (and .image .secretName $.Values.objects.database.secretName)) }}
- restoreDrill.enabled needs restoreDrill.image, restoreDrill.secretName and objects.database.secretName
{{- end }}
{{- end }}
{{- with .Values.defaults.serviceAccount }}
{{- if and .create .name }}
- defaults.serviceAccount.name needs defaults.serviceAccount.create=false: all pods use one account, which exists
{{- end }}
{{- end }}
{{- if and .Values.gateway.extraHosts (not .Values.gateway.host) }}
- gateway.extraHosts needs gateway.host, the first of the public names
{{- end }}
{{- with .Values.events }}
{{- if and .enabled (not .webhooks.enabled) (not .mail.secretName) }}
- events.enabled needs events.mail.secretName or events.webhooks.enabled
{{- end }}
{{- if and .mail.secretName (not .mail.from) }}
- events.mail.secretName needs events.mail.from
{{- end }}
{{- if and .webhooks.enabled (not (and .enabled .webhooks.secretName)) }}
- events.webhooks.enabled needs events.enabled and events.webhooks.secretName
{{- end }}
{{- if and .mail.dkim.secretName (not .mail.dkim.selector) }}
- events.mail.dkim.secretName needs events.mail.dkim.selector
{{- end }}
{{- end }}
{{- with .Values.mirror }}
{{- if and .enabled (not .publish) (not .dumps) (not .origins) }}
- mirror.enabled needs mirror.publish, mirror.dumps or mirror.origins
{{- end }}
{{- if and .enabled .publish (not .keys.secretName) }}
- mirror.publish needs mirror.keys.secretName, a Secret with the key that signs (cadastre mirror keys)
{{- end }}
{{- range $source := keys .origins | sortAlpha }}
{{- if not (has $source $.Values.grsSources) }}
- mirror.origins has {{ $source }}, which is not in grsSources
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.whois.enabled (ne (empty .Values.search.roa.source) (empty .Values.whois.roa.source)) .Values.roaPolicy }}
- roaPolicy needs search.roa.source and whois.roa.source: searches and prefix lists must apply it alike
{{- end }}
{{- range $name := list "gateway" "objects" "auth" "search" "events" "whois" "mirror" }}
{{- with include "cadastre.values" (dict "root" $ "name" $name) | fromJson }}
{{- if and .autoscaling.enabled (lt (int .autoscaling.maxReplicas) (int .replicas)) }}
- {{ $name }}.autoscaling.maxReplicas is below {{ $name }}.replicas, the minimum
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
