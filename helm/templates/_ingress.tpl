{{/* Warnings of what a controller makes of the annotations of the ingress, as a JSON array. */}}
{{- define "forge-tool-server.ingressWarnings" -}}
{{- $warnings := list -}}
{{- $isNginx := contains "nginx" .Values.ingress.className -}}
{{- $controller := "ingress-nginx" -}}
{{- $readsInSnippet := "" -}}
{{- /* After how many seconds a call ends: as the controllers of nginx have it, or not known. */}}
{{- $seconds := ternary 60 0 $isNginx -}}
{{- $ends := "" -}}
{{- range $name, $value := .Values.ingress.annotations -}}
{{- $text := toString $value -}}
{{- $isSnippet := regexMatch "-snippets?$|/config-backend$" $name -}}
{{- if $isSnippet -}}{{- /* Comments count for nothing. */}}{{- $text = regexReplaceAll "(^|[\\s;{}])#[^\n]*" $text "${1}" -}}{{- end -}}
{{- if or (and (hasSuffix "/proxy-next-upstream" $name) (contains "non_idempotent" $text)) (and $isSnippet (regexMatch "proxy_next_upstream\\s[^;]*non_idempotent" $text)) -}}
{{- $warnings = append $warnings (printf "The annotation %s has non_idempotent%s: the ingress sends a call again whose pod is late or gone, and what it writes may be done twice. Leave that word out." $name (ternary " in its proxy_next_upstream" "" $isSnippet)) -}}
{{- end -}}
{{- /* What fails before it is sent (conn-failure) may be sent again. */}}
{{- if and $isSnippet (regexMatch "(?m)^\\s*retry-on\\s.*(all-retryable|response|\\b[45][0-9][0-9]\\b)" $text) (not (regexMatch "(?m)^\\s*http-request\\s+disable-l7-retry" $text)) -}}
{{- $warnings = append $warnings (printf "The annotation %s has retry-on: the ingress sends a call again whose pod is late or gone, and what it writes may be done twice. Add http-request disable-l7-retry if METH_POST." $name) -}}
{{- end -}}
{{- if hasPrefix "nginx.org/" $name -}}{{- $controller = "the controller of nginx.org" -}}{{- end -}}
{{- if and $isSnippet (regexMatch "proxy_read_timeout\\s" $text) -}}{{- $readsInSnippet = printf " (The proxy_read_timeout of %s does not help: nginx goes by the controller's own, or refuses a second one.)" $name -}}{{- end -}}
{{- if $isNginx -}}
{{- if hasSuffix "/proxy-read-timeout" $name -}}
{{- /* ingress-nginx ignores a value that is not a number. The controller of nginx.org takes a time with its unit. */}}
{{- if regexMatch "^[0-9]+$" $text -}}{{- $seconds = int $text -}}
{{- else if hasPrefix "nginx.org/" $name -}}{{- $seconds = div (include "forge-tool-server.milliseconds" $text) 1000 -}}{{- end -}}
{{- end -}}
{{- else -}}
{{- /* Other times, such as those of health checks and of connecting, end no call. */}}
{{- $time := regexFind "(/timeout(-server)?=|-(read|response|request|idle)-timeout=|/(read|response|request|idle)-timeout=|idle_timeout[.]timeout_seconds=|timeout +server +)([0-9][0-9a-z]*|infinity)" (printf "%s=%s" $name $text) | regexFind "([0-9][0-9a-z]*|infinity)$" -}}
{{- if $time -}}
{{- /* A number alone is milliseconds to HAProxy and Kong, and seconds to others. */}}
{{- $ms := ternary (include "forge-tool-server.milliseconds" $time | int64) (mul (int64 $time) (ternary 1 1000 (regexMatch "haproxy|konghq" $name))) (regexMatch "[a-z]" $time) -}}
{{- /* 0 and infinity are no limit, which a day stands for. */}}
{{- $ms = default 86400000 $ms -}}
{{- if or (not $ends) (lt (div $ms 1000) (int64 $seconds)) -}}{{- $seconds = div $ms 1000 -}}{{- $ends = $name -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $isNginx (lt (int64 $seconds) 130) -}}
{{- $warnings = append $warnings (printf "%s ends calls after %d s, and logs may take two minutes: set its annotations for the read timeout (150 s%s), the header buffer, bodies and a rate limit (docs/kubernetes.md, Ingress).%s" $controller (int $seconds) (ternary ", as \"150\" without a unit" "" (eq $controller "ingress-nginx")) $readsInSnippet) -}}
{{- else if and (not $isNginx) (not $ends) -}}
{{- $warnings = append $warnings "No annotation of the ingress has a timeout for calls: many controllers end calls after 30 or 60 s, and logs may take two minutes; some keep idle connections for longer than config.KEEP_ALIVE_SECONDS. Set both there, or at the controller (docs/kubernetes.md, Ingress)." -}}
{{- else if and (not $isNginx) (lt (int64 $seconds) 130) -}}
{{- $warnings = append $warnings (printf "The annotation %s ends calls after %d s, and logs may take two minutes: set 150 s (docs/kubernetes.md, Ingress)." $ends (int $seconds)) -}}
{{- end -}}
{{- toJson $warnings -}}
{{- end -}}
