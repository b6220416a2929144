{{- define "forge-tool-server.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "forge-tool-server.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains (include "forge-tool-server.name" .) .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "forge-tool-server.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* The full name with a suffix, cut to the length that Kubernetes allows for a Service or a label. Argument: list of the root and the suffix. */}}
{{- define "forge-tool-server.suffixed" -}}
{{- $suffix := index . 1 -}}
{{- include "forge-tool-server.fullname" (index . 0) | trunc (sub 63 (len $suffix) | int) | trimSuffix "-" }}{{ $suffix }}
{{- end -}}

{{- define "forge-tool-server.namespace" -}}
{{- default .Release.Namespace .Values.namespaceOverride -}}
{{- end -}}

{{/* The labels that the chart sets itself. Argument: list of the root and the component, which differs between the server, its test and the Job. */}}
{{- define "forge-tool-server.chartLabels" -}}
{{- $root := index . 0 -}}
{{- dict
  "app.kubernetes.io/name" (include "forge-tool-server.name" $root)
  "app.kubernetes.io/instance" $root.Release.Name
  "app.kubernetes.io/component" (index . 1)
  "helm.sh/chart" (printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-")
  "app.kubernetes.io/version" ($root.Values.image.tag | default $root.Chart.AppVersion | trunc 63)
  "app.kubernetes.io/part-of" "forge-tool-server"
  "app.kubernetes.io/managed-by" $root.Release.Service | toYaml -}}
{{- end -}}

{{- define "forge-tool-server.selectorLabels" -}}
{{- pick (include "forge-tool-server.chartLabels" (list . "server") | fromYaml) "app.kubernetes.io/name" "app.kubernetes.io/instance" "app.kubernetes.io/component" | toYaml -}}
{{- end -}}

{{/* All labels of an object, each once. If two values differ, the requirements refuse them. Argument: list of the root, the component, and the labels of this object only. */}}
{{- define "forge-tool-server.labels" -}}
{{- $root := index . 0 -}}
{{- merge (include "forge-tool-server.chartLabels" (list $root (index . 1)) | fromYaml) ($root.Values.commonLabels | default dict) (index . 2 | default dict) | toYaml -}}
{{- end -}}

{{/* name, namespace, labels and annotations of an object. Argument: list of the root, a name suffix, annotations and, if any, the labels of this object only. */}}
{{- define "forge-tool-server.metadata" -}}
{{- $root := index . 0 -}}
name: {{ include "forge-tool-server.suffixed" (list $root (index . 1)) }}
namespace: {{ include "forge-tool-server.namespace" $root }}
labels:
  {{- include "forge-tool-server.labels" (list $root "server" (slice . 3 | first)) | nindent 2 }}
{{- with merge (dict) (index . 2 | default dict) ($root.Values.commonAnnotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "forge-tool-server.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "forge-tool-server.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "forge-tool-server.image" -}}
{{- $name := .Values.image.repository -}}
{{- if .Values.image.registry -}}{{- $name = printf "%s/%s" .Values.image.registry $name -}}{{- end -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" $name .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" $name (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{/* The settings of every pod of the chart: registry credentials, the user that it runs as, and its nodes. */}}
{{- define "forge-tool-server.podBasics" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* The same for pods other than the server's. Of the affinity they get only the part about nodes: which pods should be near concerns the server only. */}}
{{- define "forge-tool-server.sidePodBasics" -}}
{{- include "forge-tool-server.podBasics" . }}
{{- with (.Values.affinity | default dict).nodeAffinity }}
affinity:
  nodeAffinity:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end -}}

{{/* The settings of every container of the chart: the image, and its permissions. */}}
{{- define "forge-tool-server.containerBasics" -}}
image: {{ include "forge-tool-server.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* True if a Job makes the Secret: the sealing key is needed, and no Secret is named. */}}
{{- define "forge-tool-server.makesSecret" -}}
{{- and .Values.makeSecret.enabled .Values.config.OAUTH_STATELESS_MODE (not .Values.existingSecret.name) -}}
{{- end -}}

{{/* The name of the mounted Secret; empty if there is none. */}}
{{- define "forge-tool-server.secretName" -}}
{{- if .Values.existingSecret.name -}}
{{- .Values.existingSecret.name -}}
{{- else if eq (include "forge-tool-server.makesSecret" .) "true" -}}
{{- include "forge-tool-server.fullname" . }}-keys
{{- end -}}
{{- end -}}

{{- define "forge-tool-server.setupName" -}}
{{- include "forge-tool-server.suffixed" (list . "-make-secret") -}}
{{- end -}}

{{- define "forge-tool-server.setupLabels" -}}
{{- include "forge-tool-server.labels" (list . "setup" nil) -}}
{{- end -}}

{{/* metadata of the Job that makes the Secret, and of its account. Argument: list of the root and annotations. */}}
{{- define "forge-tool-server.setupMetadata" -}}
{{- $root := index . 0 -}}
name: {{ include "forge-tool-server.setupName" $root }}
namespace: {{ include "forge-tool-server.namespace" $root }}
labels:
  {{- include "forge-tool-server.setupLabels" $root | nindent 2 }}
annotations:
  {{- merge (dict) (index . 1) ($root.Values.commonAnnotations | default dict) | toYaml | nindent 2 }}
{{- end -}}

{{/* A value as text. Helm reads numbers as floats, and prints large whole floats as 1e+06. */}}
{{- define "forge-tool-server.text" -}}
{{- if not (kindIs "float64" .) -}}{{- . -}}{{- else if eq . (floor .) -}}{{- int64 . -}}{{- else -}}{{- . -}}{{- end -}}
{{- end -}}

{{/* A duration such as 1m30s, in milliseconds. */}}
{{- define "forge-tool-server.milliseconds" -}}
{{- $sum := 0 -}}
{{- range regexFindAll "[0-9]+[a-z]+" . -1 -}}
{{- $unit := regexFind "[a-z]+$" . | get (dict "ms" 1 "s" 1000 "m" 60000 "h" 3600000) -}}
{{- $sum = regexFind "^[0-9]+" . | int | mul $unit | add $sum -}}
{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* Seconds from SIGTERM to SIGKILL: the time for normal service, by default the service's own, and for the longest call, and a margin. */}}
{{- define "forge-tool-server.graceSeconds" -}}
{{- $drain := ternary 5 .Values.config.DRAIN_SECONDS (has .Values.config.DRAIN_SECONDS (list nil "")) -}}
{{- add (int .Values.preStopSleepSeconds) (int $drain) 125 5 -}}
{{- end -}}

{{/* True if there can be more than one replica. */}}
{{- define "forge-tool-server.several" -}}
{{- if .Values.autoscaling.enabled -}}
{{- if gt (int .Values.autoscaling.maxReplicas) 1 -}}true{{- end -}}
{{- else if gt (int .Values.replicaCount) 1 -}}true{{- end -}}
{{- end -}}

{{/* The pattern of denied tools. Empty if it uses ECMAScript syntax that Helm's engine does not know; then only the service checks it. */}}
{{- define "forge-tool-server.deniedTools" -}}
{{- with .Values.config.FORGE_DENIED_TOOLS_REGEX -}}
{{- if not (or (contains "(?" .) (contains "\\" .)) -}}{{- . -}}{{- end -}}
{{- end -}}
{{- end -}}

{{/* The hosts of the routes, as a JSON list. */}}
{{- define "forge-tool-server.routeHosts" -}}
{{- concat (ternary .Values.ingress.hosts nil .Values.ingress.enabled | default list) (ternary .Values.httpRoute.hostnames nil .Values.httpRoute.enabled | default list) | toJson -}}
{{- end -}}

{{/* Names that are allowed in the Host header: those in the values, those of this chart's routes, and the service's. The
     service's are added only if one of the others gives the public name; otherwise the operator's own ingress would be
     refused. */}}
{{- define "forge-tool-server.allowedHosts" -}}
{{- $hosts := list -}}
{{- range .Values.config.MCP_ALLOWED_HOSTS | default "" | splitList "," -}}{{- with trim . -}}{{- $hosts = append $hosts . -}}{{- end -}}{{- end -}}
{{- /* The service accepts no wildcard. The requirements ensure that another setting lists the names for it. */}}
{{- range include "forge-tool-server.routeHosts" . | fromJsonArray -}}{{- if not (contains "*" .) -}}{{- $hosts = append $hosts . -}}{{- end -}}{{- end -}}
{{- /* The names that callers in the cluster use, such as helm test. A cluster domain other than the usual one is not known here. */}}
{{- if or $hosts .Values.config.MCP_SERVER_URL -}}
{{- $service := include "forge-tool-server.fullname" . -}}
{{- $namespace := include "forge-tool-server.namespace" . -}}
{{- $hosts = concat $hosts (list $service (printf "%s.%s" $service $namespace) (printf "%s.%s.svc" $service $namespace) (printf "%s.%s.svc.cluster.local" $service $namespace)) -}}
{{- end -}}
{{- join "," (uniq $hosts) -}}
{{- end -}}

{{/* The public paths, as a JSON list. /metrics, /livez and /readyz are not among them. */}}
{{- define "forge-tool-server.paths" -}}
{{- $paths := list "/mcp" -}}
{{- if .Values.config.FORGE_MCP_OAUTH -}}
{{- $paths = concat $paths (list "/.well-known" "/register" "/authorize" "/consent" "/callback" "/token" "/revoke") -}}
{{- end -}}
{{- concat $paths .Values.extraPaths | uniq | toJson -}}
{{- end -}}

{{/* The port of a URL. If the URL names none, the default of its scheme. */}}
{{- define "forge-tool-server.urlPort" -}}
{{- $authority := regexReplaceAll "^[A-Za-z]+://([^/]*).*$" (trim .) "${1}" -}}
{{- $port := regexFind ":[0-9]+$" $authority | trimPrefix ":" -}}
{{- if $port -}}{{- $port -}}{{- else if hasPrefix "http://" (lower (trim .)) -}}80{{- else -}}443{{- end -}}
{{- end -}}
