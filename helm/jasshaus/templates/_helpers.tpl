{{- define "jasshaus.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "jasshaus.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- define "jasshaus.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "jasshaus.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods of a component; never changes over a release's life. Takes (dict "root" $ "component" name). */}}
{{- define "jasshaus.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* Takes (dict "root" $ "component" name). */}}
{{- define "jasshaus.labels" -}}
{{ include "jasshaus.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "jasshaus.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "jasshaus.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/* gRPC target of a component: the headless service's name resolves to every ready pod. Takes (dict "root" $ "component" name). */}}
{{- define "jasshaus.target" -}}
{{- printf "dns:///%s-%s.%s.svc.%s:50051" (include "jasshaus.fullname" .root) .component .root.Release.Namespace .root.Values.clusterDomain -}}
{{- end -}}

{{/* A variable read from an existing Secret. Takes (dict "env" name "secret" reference). */}}
{{- define "jasshaus.secretEnv" -}}
- name: {{ .env }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret.name }}
      key: {{ .secret.key }}
{{- end -}}

{{/* The variables of a component that are no secrets, as the ConfigMap's content. Takes (dict "root" $ "component" name). */}}
{{- define "jasshaus.environment" -}}
{{- $values := .root.Values -}}
{{- $environment := dict
  "JASSHAUS_MODE" "production"
  "JASSHAUS_LISTEN" "0.0.0.0:50051"
  "JASSHAUS_HEALTH_LISTEN" "0.0.0.0:50052"
  "JASSHAUS_METRICS_HOST" "0.0.0.0"
  "JASSHAUS_METRICS_PORT" "9464"
  "JASSHAUS_JWT_ISSUER" $values.auth.issuer
  "JASSHAUS_JWT_AUDIENCE" $values.auth.audience
  "JASSHAUS_JWKS" (ternary "/etc/jasshaus/jwks/jwks.json" $values.auth.jwks (ne $values.auth.jwksConfigMap.name ""))
  "JASSHAUS_SHUTDOWN_PAUSE" (toString $values.shutdown.pause)
  "JASSHAUS_SHUTDOWN_GRACE" (toString $values.shutdown.grace)
-}}
{{- if ne .component "wallet" -}}
{{- $_ := set $environment "JASSHAUS_SERVICE_TOKEN_FILE" "/etc/jasshaus/service-token/token" -}}
{{- $_ := set $environment "JASSHAUS_WALLET_ADDRESS" (include "jasshaus.target" (dict "root" .root "component" "wallet")) -}}
{{- end -}}
{{- if eq .component "matchmaking" -}}
{{- $_ := set $environment "JASSHAUS_TABLE_ADDRESS" (include "jasshaus.target" (dict "root" .root "component" "table")) -}}
{{- else if eq .component "table" -}}
{{- $_ := set $environment "JASSHAUS_MATCHMAKING_ADDRESS" (include "jasshaus.target" (dict "root" .root "component" "matchmaking")) -}}
{{- end -}}
{{- $environment = merge (deepCopy (index $values .component).config) $values.config $environment -}}
{{- range $name, $value := $environment }}
{{ $name }}: {{ $value | quote }}
{{- end -}}
{{- end -}}
