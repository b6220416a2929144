{{/* Refuses values that cannot work, with a sentence. Otherwise a pod would not start. */}}
{{- define "forge-tool-server.requirements" -}}
{{- $config := .Values.config -}}
{{- $several := include "forge-tool-server.several" . -}}
{{- $elsewhere := .Files.Get "files/elsewhere.json" | fromJson -}}
{{- range $variable, $says := $elsewhere -}}
{{- if hasKey $config $variable -}}
{{- fail (printf "config.%s %s" $variable $says) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- /* Such a variable would override what the chart sets for the pod, and what is checked here. */}}
{{- if hasKey $elsewhere .name -}}
{{- fail (printf "extraEnv has %s, which %s" .name (get $elsewhere .name)) -}}
{{- else if hasKey $config .name -}}
{{- fail (printf "extraEnv has %s, which is the value config.%s." .name .name) -}}
{{- else if hasKey $elsewhere (upper .name) -}}
{{- fail (printf "extraEnv has %s, which the service does not read: %s %s" .name (upper .name) (get $elsewhere (upper .name))) -}}
{{- else if hasKey $config (upper .name) -}}
{{- fail (printf "extraEnv has %s, which the service does not read: use the value config.%s." .name (upper .name)) -}}
{{- else if not (or (kindIs "invalid" .value) (kindIs "string" .value)) -}}
{{- /* YAML has converted the value, so the written text, such as yes, 010 or 1.0, is lost. */}}
{{- fail (printf "extraEnv has %s with a value that is no text (%s): put it into quotation marks, or set it by --set-string." .name (include "forge-tool-server.text" .value)) -}}
{{- end -}}
{{- end -}}
{{- $labels := dict "commonLabels" .Values.commonLabels "podLabels" .Values.podLabels -}}
{{- range $object := list "serviceMonitor" "prometheusRule" -}}
{{- with get $.Values.metrics $object -}}
{{- if .enabled -}}{{- $_ := set $labels (printf "metrics.%s.labels" $object) .labels -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- $before := dict "the chart" (include "forge-tool-server.chartLabels" (list . "server") | fromYaml) "commonLabels" (.Values.commonLabels | default dict) -}}
{{- range $place, $own := $labels -}}
{{- range $label, $value := $own -}}
{{- range $other, $theirs := $before -}}
{{- if and (hasKey $theirs $label) (ne (get $theirs $label) $value) -}}
{{- fail (printf "%s has %s=%s, which %s sets to %q for the same objects: leave it out, or give it the same value." $place $label (quote $value) $other (get $theirs $label)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if hasKey (.Values.podAnnotations | default dict) "checksum/config" -}}
{{- fail "podAnnotations has checksum/config, by which the chart rolls pods whose config has changed: leave it out, or give it another name." -}}
{{- end -}}
{{- $name := include "forge-tool-server.fullname" . -}}
{{- if not (regexMatch "^[a-z]([a-z0-9-]*[a-z0-9])?$" $name) -}}
{{- fail (printf "No Service may be named %s, as the objects here would be: set fullnameOverride to a name of small letters, digits and hyphens that begins with a letter." $name) -}}
{{- end -}}
{{- if and $several (not $config.OAUTH_STATELESS_MODE) -}}
{{- fail "More than one replica needs config.OAUTH_STATELESS_MODE=true: sessions in memory are known to one replica only. Set it, or replicaCount=1 and autoscaling.enabled=false." -}}
{{- end -}}
{{- if and $config.OAUTH_STATELESS_MODE (not (include "forge-tool-server.secretName" .)) -}}
{{- fail "Stateless mode needs a sealing key: leave makeSecret.enabled=true, or make a Secret whose key OAUTH_STATELESS_SECRET holds base64url of at least 32 random bytes, and name it as existingSecret.name: kubectl create secret generic forge-tool-server --from-literal=OAUTH_STATELESS_SECRET=\"$(openssl rand -base64 48)\"" -}}
{{- end -}}
{{- if and $config.OAUTH_STATELESS_MODE (not .Values.existingSecret.keys.OAUTH_STATELESS_SECRET) -}}
{{- fail "config.OAUTH_STATELESS_MODE=true needs existingSecret.keys.OAUTH_STATELESS_SECRET: the key of the Secret that holds the sealing key." -}}
{{- end -}}
{{- if not (or $config.REMOTE_AUTHORIZATION $config.FORGE_MCP_OAUTH) -}}
{{- fail "Set config.REMOTE_AUTHORIZATION=true (callers bring tokens) or config.FORGE_MCP_OAUTH=true (callers log in): a deployment for many people has no token of its own." -}}
{{- end -}}
{{- range $variable, $value := $config -}}
{{- /* Checks of every variable, as in the service's own load.ts. */}}
{{- $text := trim (toString $value) -}}
{{- if regexMatch "(?s)^(\".*\"|'.*'|[“„‘«].*[”“’»])$" $text -}}
{{- fail (printf "config.%s is in quotation marks, which count as part of it: leave them out." $variable) -}}
{{- else if regexMatch "^\\$\\{[^}]*\\}$" $text -}}
{{- fail (printf "config.%s has the name of a variable where its value belongs: Helm puts none in." $variable) -}}
{{- else if regexMatch "^~[/\\\\]" $text -}}
{{- fail (printf "config.%s begins with ~, which means a home folder to a shell alone: write the whole path." $variable) -}}
{{- end -}}
{{- end -}}
{{- range .Files.Get "files/patterns.json" | fromJsonArray -}}
{{- $pattern := . -}}
{{- $value := get $config .variable | include "forge-tool-server.text" -}}
{{- $isList := and .list (regexMatch "[^,\\s]" $value) -}}
{{- range ternary (splitList "," $value) (list $value) $isList -}}
{{- $entry := trim . -}}
{{- if and $entry (or (not (regexMatch $pattern.match $entry)) (and $pattern.never (regexMatch $pattern.never $entry))) -}}
{{- fail (printf "config.%s Not %q." $pattern.says $entry) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $config.FORGE_DENIED_TOOLS_REGEX -}}
{{- if regexMatch "^/.*/[a-z]*$" . -}}
{{- fail "config.FORGE_DENIED_TOOLS_REGEX has slashes around it, which belong to a pattern in code and match no name here, so that nothing would be denied: leave them and what follows out." -}}
{{- end -}}
{{- if contains "\\|" . -}}
{{- fail "config.FORGE_DENIED_TOOLS_REGEX has \\|, which matches a literal bar. If you copied it from a Markdown table, remove the backslash." -}}
{{- end -}}
{{- end -}}
{{- with include "forge-tool-server.deniedTools" . -}}
{{- if not (regexMatch (printf "%s|" .) "") -}}
{{- fail (printf "config.FORGE_DENIED_TOOLS_REGEX must be a regular expression. Not %q." .) -}}
{{- end -}}
{{- end -}}
{{- include "forge-tool-server.quantityRequirements" . -}}
{{- with $config.FORGE_DOWNLOAD_DIR -}}
{{- $dir := trimSuffix "/" . -}}
{{- $isWritable := or (eq $dir "/tmp") (not $.Values.securityContext.readOnlyRootFilesystem) -}}
{{- /* The size limit of the volume that the folder is on, and the name of that limit. */}}
{{- $bound := ternary $.Values.tmpSizeLimit nil (eq $dir "/tmp") -}}
{{- $name := "tmpSizeLimit" -}}
{{- range $.Values.extraVolumeMounts -}}
{{- $mount := . -}}
{{- $at := trimSuffix "/" .mountPath -}}
{{- if and (not .readOnly) (or (eq $at $dir) (hasPrefix (printf "%s/" $at) $dir)) -}}
{{- $isWritable = true -}}
{{- range $.Values.extraVolumes -}}
{{- if eq .name $mount.name -}}
{{- $bound = (.emptyDir | default dict).sizeLimit -}}{{- $name = printf "the sizeLimit of the volume %s" .name -}}
{{- if or .configMap .secret .projected .downwardAPI (.persistentVolumeClaim | default dict).readOnly -}}{{- $isWritable = false -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $isWritable -}}
{{- fail "config.FORGE_DOWNLOAD_DIR must be /tmp, or the mountPath of one of extraVolumeMounts that may be written to: the rest of the pod's file system is read-only." -}}
{{- end -}}
{{- with include "forge-tool-server.mebibytes" $bound -}}
{{- $kept := int (default 4096 $config.FORGE_DOWNLOAD_TOTAL_MB) -}}
{{- /* The margin is for folders, for blocks that are not full, and for other files in /tmp. */}}
{{- if gt (add $kept (div (add $kept 19) 20) 16) (int64 .) -}}
{{- fail (printf "config.FORGE_DOWNLOAD_TOTAL_MB (%d) must be below %s (%s) by a twentieth of itself and 16 MiB, which folders and the file system take: a node puts the pod away whose volume is fuller." $kept $name (include "forge-tool-server.text" $bound)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "forge-tool-server.volumeRequirements" . -}}
{{- include "forge-tool-server.heapRequirements" . -}}
{{- include "forge-tool-server.requestRequirements" . -}}
{{- with $config.FORGE_SETTINGS_PATH -}}
{{- $path := . -}}
{{- $isMounted := false -}}
{{- range $.Values.extraVolumeMounts -}}
{{- if and (eq .mountPath $path) (not .subPath) -}}
{{- fail "config.FORGE_SETTINGS_PATH is the mountPath of one of extraVolumeMounts, a folder: name the file in it, as in /etc/forge-settings/settings." -}}
{{- end -}}
{{- if or (eq .mountPath $path) (hasPrefix (printf "%s/" (trimSuffix "/" .mountPath)) $path) -}}
{{- $isMounted = true -}}
{{- if .subPath -}}
{{- fail "config.FORGE_SETTINGS_PATH is in one of extraVolumeMounts with a subPath, whose files never change while a pod runs: mount the whole ConfigMap as a folder, without subPath." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not $isMounted -}}
{{- fail "config.FORGE_SETTINGS_PATH is in none of extraVolumeMounts, so that no pod would find the file: mount the ConfigMap that has it by extraVolumes and extraVolumeMounts." -}}
{{- end -}}
{{- end -}}
{{- $sidAge := $config.OAUTH_STATELESS_SESSION_TTL_SECONDS | default $config.SESSION_TIMEOUT_SECONDS -}}
{{- if and $sidAge (gt (int $config.OAUTH_STATELESS_SID_REUSE_SECONDS) (int $sidAge)) -}}
{{- fail "config.OAUTH_STATELESS_SID_REUSE_SECONDS must not exceed the age at which a session id ends, config.OAUTH_STATELESS_SESSION_TTL_SECONDS or config.SESSION_TIMEOUT_SECONDS." -}}
{{- end -}}
{{- if $config.FORGE_MCP_OAUTH -}}
{{- if not $config.MCP_SERVER_URL -}}
{{- fail "config.FORGE_MCP_OAUTH=true needs config.MCP_SERVER_URL, the public https URL: issuer and callback are made from it." -}}
{{- end -}}
{{- if not $config.FORGE_OAUTH_APP_ID -}}
{{- fail "config.FORGE_MCP_OAUTH=true needs config.FORGE_OAUTH_APP_ID, the id of the OAuth application on the forge." -}}
{{- end -}}
{{- end -}}
{{- if and $config.FORGE_MCP_OAUTH $config.FORGE_OAUTH_CONSENT (not $config.FORGE_OAUTH_CALLBACK_PROXY) -}}
{{- fail "config.FORGE_OAUTH_CONSENT=true needs config.FORGE_OAUTH_CALLBACK_PROXY=true: without it the forge checks the redirect and asks the person itself. Set both to false for that." -}}
{{- end -}}
{{- if $config.ENABLE_DYNAMIC_API_URL -}}
{{- if not $config.REMOTE_AUTHORIZATION -}}
{{- fail "config.ENABLE_DYNAMIC_API_URL=true needs config.REMOTE_AUTHORIZATION=true." -}}
{{- end -}}
{{- if $config.FORGE_MCP_OAUTH -}}
{{- fail "config.ENABLE_DYNAMIC_API_URL=true and config.FORGE_MCP_OAUTH=true exclude each other: OAuth mode checks every token with the forge of config.FORGE_API_URL." -}}
{{- end -}}
{{- if not (or $config.FORGE_ALLOWED_HOSTS $config.FORGE_DENY_PRIVATE_ADDRESSES) -}}
{{- fail "config.ENABLE_DYNAMIC_API_URL=true lets callers name the forge: set config.FORGE_ALLOWED_HOSTS to the forges you know, or config.FORGE_DENY_PRIVATE_ADDRESSES=true to keep callers out of your network." -}}
{{- end -}}
{{- end -}}
{{- if .Values.terminationGracePeriodSeconds -}}
{{- $needed := include "forge-tool-server.graceSeconds" . -}}
{{- if lt (int .Values.terminationGracePeriodSeconds) (int $needed) -}}
{{- fail (printf "terminationGracePeriodSeconds must be at least %s (preStopSleepSeconds + config.DRAIN_SECONDS + 125 s for the longest call + 5 s), or null to have it computed." $needed) -}}
{{- end -}}
{{- end -}}
{{- with .Values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail "autoscaling.minReplicas must not be above autoscaling.maxReplicas." -}}
{{- end -}}
{{- if and .enabled (not (or .targetCPUUtilizationPercentage .targetMemoryUtilizationPercentage .targetCallsInFlight .metrics)) -}}
{{- fail "autoscaling.enabled=true needs a target: targetCPUUtilizationPercentage, targetMemoryUtilizationPercentage, targetCallsInFlight or metrics." -}}
{{- end -}}
{{- $enabled := .enabled -}}
{{- range $target, $resource := dict "targetCPUUtilizationPercentage" "cpu" "targetMemoryUtilizationPercentage" "memory" -}}
{{- $resources := $.Values.resources | default dict -}}
{{- /* Without a request, Kubernetes uses the limit as the request. */}}
{{- if and $enabled (get $.Values.autoscaling $target) (not (or (dig "requests" $resource "" $resources) (dig "limits" $resource "" $resources))) -}}
{{- fail (printf "autoscaling.%s is a share of resources.requests.%s, without which nothing is scaled: set that, or the target to null." $target $resource) -}}
{{- end -}}
{{- end -}}
{{- $most := int (default 512 $config.FORGE_MAX_CONCURRENCY) -}}
{{- if and .enabled .targetCallsInFlight (ge (int .targetCallsInFlight) $most) -}}
{{- fail (printf "autoscaling.targetCallsInFlight (%d) must be below config.FORGE_MAX_CONCURRENCY (%d): above it calls to one forge wait in line." (int .targetCallsInFlight) $most) -}}
{{- end -}}
{{- if and .enabled .keda.prometheusAddress (or .metrics (not .targetCallsInFlight)) -}}
{{- fail "autoscaling.keda.prometheusAddress asks Prometheus for autoscaling.targetCallsInFlight: set that, and leave autoscaling.metrics empty." -}}
{{- end -}}
{{- end -}}
{{- range $field := list "nodePort" "externalTrafficPolicy" -}}
{{- if and (get $.Values.service $field) (eq $.Values.service.type "ClusterIP") -}}
{{- fail (printf "service.%s needs service.type=NodePort or LoadBalancer: Kubernetes takes none for a ClusterIP." $field) -}}
{{- end -}}
{{- end -}}
{{- with .Values.podDisruptionBudget -}}
{{- if and .enabled (not (kindIs "invalid" .minAvailable)) (not (kindIs "invalid" .maxUnavailable)) -}}
{{- fail "podDisruptionBudget takes minAvailable or maxUnavailable, not both: set the other one to null." -}}
{{- end -}}
{{- $least := int (ternary $.Values.autoscaling.minReplicas $.Values.replicaCount $.Values.autoscaling.enabled) -}}
{{- $keeps := toString .minAvailable | trimSuffix "%" | int -}}
{{- /* Kubernetes rounds both percentages up. */}}
{{- if hasSuffix "%" (toString .minAvailable) -}}{{- $keeps = div (add (mul $keeps $least) 99) 100 | int -}}{{- end -}}
{{- $most := int (ternary $.Values.autoscaling.maxReplicas $.Values.replicaCount $.Values.autoscaling.enabled) -}}
{{- $isZero := regexMatch "^0+%?$" (toString .maxUnavailable) -}}
{{- if and .enabled (or (and (gt $least 1) (ge $keeps $least)) (and (gt $most 1) $isZero)) -}}
{{- fail (printf "podDisruptionBudget lets no pod go, and no node could be drained: minAvailable must be below the least number of replicas (%d), a percentage rounded up too, or maxUnavailable at least 1." $least) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.enabled=true needs ingress.hosts: the public host name, such as mcp.example.com." -}}
{{- end -}}
{{- range include "forge-tool-server.routeHosts" . | fromJsonArray -}}
{{- if and (contains "*" .) (not (or $config.MCP_SERVER_URL $config.MCP_ALLOWED_HOSTS)) -}}
{{- fail (printf "%s is a route for names that the service cannot know: list them in config.MCP_ALLOWED_HOSTS, or set config.MCP_SERVER_URL if it is one." .) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.enabled=true needs httpRoute.parentRefs: the Gateway that serves the route." -}}
{{- end -}}
{{- with .Values.metrics.serviceMonitor -}}
{{- if and .enabled .interval .scrapeTimeout (gt (include "forge-tool-server.milliseconds" .scrapeTimeout | int) (include "forge-tool-server.milliseconds" .interval | int)) -}}
{{- fail (printf "metrics.serviceMonitor.scrapeTimeout (%s) must not exceed metrics.serviceMonitor.interval (%s): Prometheus takes no such target." .scrapeTimeout .interval) -}}
{{- end -}}
{{- end -}}
{{- if eq (int .Values.metrics.port) (int .Values.containerPort) -}}
{{- fail "metrics.port must differ from containerPort; 0 serves metrics on containerPort only." -}}
{{- end -}}
{{- end -}}
