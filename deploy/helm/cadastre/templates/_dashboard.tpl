{{/* A dashboard of Grafana, as JSON. Takes its name, and the dashboard as in monitoring/dashboards.yaml. */}}
{{- define "cadastre.dashboard" -}}
{{- $source := dict "type" "prometheus" "uid" "${datasource}" -}}
{{- $panels := list -}}
{{- range $at, $panel := .dashboard.panels -}}
{{- $targets := list -}}
{{- range $legend, $query := $panel.queries -}}
{{- $targets = append $targets (dict "refId" (printf "%c" (add 65 (len $targets))) "expr" $query "legendFormat" $legend) -}}
{{- end -}}
{{- $lines := dict "fillOpacity" (ternary 20 0 (default false $panel.stacked)) "stacking" (dict "mode" (ternary "normal" "none" (default false $panel.stacked))) -}}
{{- $panels = append $panels (dict
  "id" (add1 $at)
  "type" "timeseries"
  "title" $panel.title
  "description" (default "" $panel.about)
  "datasource" $source
  "gridPos" (dict "x" (mul 8 (mod $at 3)) "y" (mul 8 (div $at 3)) "w" 8 "h" 8)
  "fieldConfig" (dict "defaults" (dict "unit" $panel.unit "min" 0 "custom" $lines) "overrides" list)
  "targets" $targets) -}}
{{- end -}}
{{- $variables := list (dict "name" "datasource" "label" "Data source" "type" "datasource" "query" "prometheus") -}}
{{- range $name, $selector := dict "namespace" "" "release" `{namespace="$namespace"}` -}}
{{- $query := printf "label_values(cadastre_check_up%s, %s)" $selector $name -}}
{{- $variables = append $variables (dict
  "name" $name
  "label" (title $name)
  "type" "query"
  "datasource" $source
  "query" (dict "query" $query "refId" $name)
  "refresh" 2
  "sort" 1) -}}
{{- end -}}
{{- dict
  "uid" (eq .name "overview" | ternary "cadastre" (printf "cadastre-%s" .name))
  "title" .dashboard.title
  "tags" (list "cadastre")
  "links" (list (dict "type" "dashboards" "tags" (list "cadastre") "title" "Cadastre" "includeVars" true "keepTime" true))
  "schemaVersion" 39
  "editable" true
  "refresh" "30s"
  "time" (dict "from" "now-3h" "to" "now")
  "timezone" "browser"
  "templating" (dict "list" $variables)
  "annotations" (dict "list" list)
  "panels" $panels | toJson -}}
{{- end -}}
