{{/* A Kubernetes quantity, such as 1.5Gi, 500M or 250m, in units; empty if it is not one. */}}
{{- define "forge-tool-server.quantity" -}}
{{- $text := include "forge-tool-server.text" . | trimPrefix "+" -}}
{{- $number := regexFind "^([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?" $text -}}
{{- $unit := trimPrefix $number $text | get (dict "" 1 "n" 0.000000001 "u" 0.000001 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976) -}}
{{- if and $number $unit -}}{{- float64 $number | mulf $unit | printf "%.9f" -}}{{- end -}}
{{- end -}}

{{/* A quantity of bytes, in whole MiB; empty if it is not one. */}}
{{- define "forge-tool-server.mebibytes" -}}
{{- with include "forge-tool-server.quantity" . -}}{{- divf (float64 .) 1048576 | floor | int64 -}}{{- end -}}
{{- end -}}

{{/* The server's memory limit; empty if there is none. */}}
{{- define "forge-tool-server.memoryLimit" -}}
{{- dig "limits" "memory" "" (.Values.resources | default dict) | include "forge-tool-server.text" -}}
{{- end -}}

{{/*
Refuses quantities that Kubernetes does not accept or reads differently: Docker and Java write 512m for megabytes, which
is half a byte in Kubernetes. Other rules here would not apply to them. Argument: dict of the place, and the quantities by
resource.
*/}}
{{- define "forge-tool-server.checkQuantities" -}}
{{- $place := .place -}}
{{- range $resource, $value := .quantities | default dict -}}
{{- $name := printf "%s.%s" $place $resource -}}
{{- $text := include "forge-tool-server.text" $value -}}
{{- $quantity := include "forge-tool-server.quantity" $value -}}
{{- $isBytes := has $resource (list "memory" "ephemeral-storage" "sizeLimit") -}}
{{- if and (not $quantity) (not (kindIs "invalid" $value)) -}}
{{- fail (printf "%s: %q is no quantity of Kubernetes: write %s." $name $text (ternary (include "forge-tool-server.binary" $text) "a number, or thousandths such as 500m" $isBytes)) -}}
{{- else if and $isBytes (hasSuffix "m" $text) (lt (float64 $quantity) 1048576.0) -}}
{{- fail (printf "%s: %s is %s bytes to Kubernetes, where m stands for thousandths: write %s." $name $text (float64 $quantity | toString) (include "forge-tool-server.binary" $text)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The Kubernetes form of a number of bytes in other notations, such as 512Mi for 512m, 512MB and 512 mib; otherwise an example. */}}
{{- define "forge-tool-server.binary" -}}
{{- $number := regexFind "^[0-9]+([.][0-9]+)?" . -}}
{{- $unit := trimPrefix $number . | lower | trim | trimSuffix "b" | trimSuffix "i" -}}
{{- if and $number (has $unit (list "k" "m" "g" "t")) -}}{{- printf "%s%si" $number (title $unit) -}}{{- else -}}512Mi or 1Gi{{- end -}}
{{- end -}}

{{/* The resources of each container, by the path of the value. */}}
{{- define "forge-tool-server.resourcesByPath" -}}
{{- $resources := dict "resources" .Values.resources "makeSecret.resources" .Values.makeSecret.resources "tests.resources" .Values.tests.resources -}}
{{- range $list := list "extraContainers" "initContainers" -}}
{{- range $at, $container := get $.Values $list | default list -}}
{{- $_ := set $resources (printf "%s[%d].resources" $list $at) $container.resources -}}
{{- end -}}
{{- end -}}
{{- toJson $resources -}}
{{- end -}}

{{- define "forge-tool-server.quantityRequirements" -}}
{{- range $path, $resources := include "forge-tool-server.resourcesByPath" . | fromJson -}}
{{- range $kind := list "requests" "limits" -}}
{{- include "forge-tool-server.checkQuantities" (dict "place" (printf "%s.%s" $path $kind) "quantities" (get ($resources | default dict) $kind)) -}}
{{- end -}}
{{- end -}}
{{- range $at, $volume := .Values.extraVolumes -}}
{{- include "forge-tool-server.checkQuantities" (dict "place" (printf "extraVolumes[%d].emptyDir" $at) "quantities" (pick ($volume.emptyDir | default dict) "sizeLimit")) -}}
{{- end -}}
{{- end -}}

{{/* Refuses requests that exceed their limits. */}}
{{- define "forge-tool-server.requestRequirements" -}}
{{- range $path, $resources := include "forge-tool-server.resourcesByPath" . | fromJson -}}
{{- range $resource, $value := dig "requests" dict ($resources | default dict) -}}
{{- $limit := get (get $resources "limits" | default dict) $resource -}}
{{- $most := include "forge-tool-server.quantity" $limit -}}
{{- if and $most (gt (include "forge-tool-server.quantity" $value | float64) (float64 $most)) -}}
{{- $request := include "forge-tool-server.text" $value -}}
{{- /* Containers of the operator's own have no defaults. */}}
{{- $hasDefault := and (has $resource (list "cpu" "memory")) (not (contains "[" $path)) -}}
{{- $default := ternary (printf " Where you have set none, the request is the chart's default: set %s.requests.%s as well, or null, which takes the limit for it." $path $resource) "" $hasDefault -}}
{{- fail (printf "%s.requests.%s (%s) must not be above %s.limits.%s (%s): Kubernetes takes no such pod.%s" $path $resource $request $path $resource (include "forge-tool-server.text" $limit) $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Refuses memory limits and heap sizes with which pods would be killed or would not start. */}}
{{- define "forge-tool-server.heapRequirements" -}}
{{- $memory := include "forge-tool-server.memoryLimit" . -}}
{{- $options := toString .Values.nodeOptions -}}
{{- if regexMatch "max[-_]old[-_]space[-_]size([-_]percentage)?[= \"]+0+([.]0*)?([ \"]|$)" $options -}}
{{- fail "nodeOptions has 0 for the heap: Node does not start with 0 percent, and takes 0 MiB for its own default, whatever the pod has. Name a size." -}}
{{- else if regexMatch "max[-_]old[-_]space[-_]size +[0-9]" $options -}}
{{- fail "nodeOptions has a blank after max-old-space-size, with which Node does not start: write --max-old-space-size=400." -}}
{{- end -}}
{{- with include "forge-tool-server.mebibytes" $memory -}}
{{- if lt (int .) 192 -}}
{{- fail (printf "resources.limits.memory (%s) must be at least 192Mi: the service takes about 97 MiB at rest. Of the 200 MiB that it shows amid many calls a part is files, which the kernel takes back: 192Mi were enough. A pod that takes more than its limit is killed." $memory) -}}
{{- end -}}
{{- /* The rest of the memory is for buffers, threads and code. */}}
{{- /* The last of several flags counts, and a percentage precedes a size. A percentage may also follow a blank instead of =. */}}
{{- $heap := regexFindAll "max[-_]old[-_]space[-_]size[= \"]+[0-9]+" $options -1 | last | toString | regexFind "[0-9]+$" -}}
{{- $share := regexFindAll "max[-_]old[-_]space[-_]size[-_]percentage[= \"]+[0-9]+" $options -1 | last | toString | regexFind "[0-9]+$" -}}
{{- if $share -}}{{- $heap = div (mul (int64 .) (int64 $share)) 100 | toString -}}{{- end -}}
{{- /* A percentage is limited by itself. Volumes have a rule of their own, as there is room for them beside the default of 50 percent. */}}
{{- $inMemory := ternary 0 (include "forge-tool-server.volumeMebibytes" (dict "root" $ "memory" true) | int64) (ne $share "") | int64 -}}
{{- if gt (mul (int $heap) 5) (mul (sub (int64 .) $inMemory) 4) -}}
{{- fail (printf "nodeOptions lets the heap grow to %s MiB, and a pod is killed that takes more than resources.limits.memory (%s): the heap can have four fifths of that at most%s." $heap $memory (ternary ", less what an emptyDir of medium Memory may take" "" (gt $inMemory 0))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
