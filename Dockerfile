# The command with Node.js, which executes compilers from npm. Mount a project:
#   docker run --rm -v "$PWD:/project" leveret fuzz src
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY campaign campaign
COPY cmd cmd
COPY dap dap
COPY docs docs
COPY engine engine
COPY lsp lsp
COPY solc solc
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /leveret ./cmd/leveret

FROM node:22-bookworm-slim
COPY --from=build /leveret /usr/local/bin/leveret
USER node
WORKDIR /project
ENTRYPOINT ["leveret"]
