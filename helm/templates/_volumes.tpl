{{/*
MiB that the pod's volumes may take, of its memory or of its node's disk. An emptyDir counts with its sizeLimit. Without
one, it counts with the size of the archives if they are in it; so does the container's own file system if it is writable.
Argument: dict of root, and whether memory is meant.
*/}}
{{- define "forge-tool-server.volumeMebibytes" -}}
{{- $values := .root.Values -}}
{{- $isMemory := .memory -}}
{{- $dir := trimSuffix "/" (toString ($values.config.FORGE_DOWNLOAD_DIR | default "")) -}}
{{- $kept := int ($values.config.FORGE_DOWNLOAD_TOTAL_MB | default 4096) -}}
{{- $archives := add $kept (div (add $kept 19) 20) 16 -}}
{{- $volumes := list (dict "at" (list "/tmp") "emptyDir" (dict "sizeLimit" $values.tmpSizeLimit)) -}}
{{- range $volume := $values.extraVolumes -}}
{{- if hasKey $volume "emptyDir" -}}
{{- $at := list -}}
{{- range $values.extraVolumeMounts -}}
{{- if eq .name $volume.name -}}{{- $at = append $at (trimSuffix "/" .mountPath) -}}{{- end -}}
{{- end -}}
{{- $volumes = append $volumes (dict "at" $at "emptyDir" ($volume.emptyDir | default dict)) -}}
{{- end -}}
{{- end -}}
{{- $sum := 0 -}}
{{- range $volumes -}}
{{- $medium := .emptyDir.medium | default "" -}}
{{- /* A memory volume that only another container mounts counts for that container. */}}
{{- if or (and $isMemory (eq $medium "Memory") .at) (and (not $isMemory) (eq $medium "")) -}}
{{- $size := include "forge-tool-server.mebibytes" .emptyDir.sizeLimit -}}
{{- range .at -}}
{{- if and $dir (not $size) (or (eq . $dir) (and (ne . "/tmp") (hasPrefix (printf "%s/" .) $dir))) -}}{{- $size = $archives -}}{{- end -}}
{{- end -}}
{{- $sum = add $sum (int64 $size) -}}
{{- end -}}
{{- end -}}
{{- $isMounted := hasPrefix "/tmp/" (printf "%s/" $dir) -}}
{{- range $values.extraVolumeMounts -}}
{{- if hasPrefix (printf "%s/" (trimSuffix "/" .mountPath)) (printf "%s/" $dir) -}}{{- $isMounted = true -}}{{- end -}}
{{- end -}}
{{- if and $dir (not $isMounted) (not $isMemory) -}}{{- $sum = add $sum $archives -}}{{- end -}}
{{- $sum -}}
{{- end -}}

{{/* Refuses limits that are too small for the volumes. */}}
{{- define "forge-tool-server.volumeRequirements" -}}
{{- $memory := include "forge-tool-server.memoryLimit" . -}}
{{- $inMemory := include "forge-tool-server.volumeMebibytes" (dict "root" . "memory" true) | int64 -}}
{{- with include "forge-tool-server.mebibytes" $memory -}}
{{- if and $inMemory (lt (int64 .) (add $inMemory 192)) -}}
{{- fail (printf "resources.limits.memory (%s) must be at least %dMi: an emptyDir of medium Memory counts against it, beside the 192Mi that the service needs, and a pod that takes more is killed." $memory (add $inMemory 192)) -}}
{{- end -}}
{{- end -}}
{{- $disk := dig "limits" "ephemeral-storage" "" (.Values.resources | default dict) | include "forge-tool-server.text" -}}
{{- with include "forge-tool-server.mebibytes" $disk -}}
{{- $has := int64 . -}}
{{- range $.Values.extraContainers -}}
{{- $more := dig "resources" "limits" "ephemeral-storage" "" . | include "forge-tool-server.mebibytes" -}}
{{- $has = add $has (int64 $more) -}}
{{- end -}}
{{- /* By default, a kubelet keeps five log files of 10 MiB for each container. */}}
{{- $needs := include "forge-tool-server.volumeMebibytes" (dict "root" $ "memory" false) | int64 | add 50 -}}
{{- if lt $has $needs -}}
{{- fail (printf "resources.limits.ephemeral-storage (%s) must be at least %dMi: tmpSizeLimit, what may be in an emptyDir, archives and 50Mi of log count against it, and a node puts the pod away that takes more." $disk $needs) -}}
{{- end -}}
{{- end -}}
{{- end -}}
