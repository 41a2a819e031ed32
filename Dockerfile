# The image of sweeps on Kubernetes, and of econ-mcp anywhere else: one static program, no shell, no root.
#
#   docker build -t econ-mcp:0.9.0 .
#   docker run --rm econ-mcp:0.9.0 run
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /econ-mcp ./cmd/econ-mcp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /econ-mcp /econ-mcp
USER 65532:65532
ENTRYPOINT ["/econ-mcp"]
