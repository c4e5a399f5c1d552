package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/engine/report/foundry"
	"leveret/lsp/server"
	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/release"
	"leveret/solc/version"
)

func serveCommand(c console) *cobra.Command {
	listen := ""
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "Run the language server",
		Long: `Serve an editor with the Language Server Protocol on standard input and output.
The log goes to standard error and to the editor.

Exit code: 0 after shutdown and exit, 1 if the client disconnected without shutdown, 2 if the server
could not start.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			log := newLogger(c.err)
			defer log.Sync()
			if listen != "" {
				return serveListener(ctx, c, log, listen)
			}
			os.Stdout = os.Stderr // only the protocol may write to standard output
			return serve(ctx, stdio{c.in, raw(c.out)}, log)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "for debugging: serve clients one after another at `127.0.0.1:PORT`")
	cmd.Flags().Bool("stdio", true, "serve on standard input and output; the default, accepted because many editors pass it")
	return cmd
}

// newLogger returns a logger that writes lines for people to w.
func newLogger(w io.Writer) *zap.Logger {
	encoder := zap.NewDevelopmentEncoderConfig()
	encoder.CallerKey = zapcore.OmitKey
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(encoder), zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel))
}

// serve serves one client. The protocol demands exit code 1 for a client that
// disconnects without shutdown.
func serve(ctx context.Context, conn io.ReadWriteCloser, log *zap.Logger) error {
	err := server.Serve(ctx, conn, serverConfig(log))
	if errors.Is(err, server.ErrNoShutdown) {
		log.Info("the client disconnected without shutdown", zap.Error(err))
		return errFound
	}
	return err
}

func serverConfig(log *zap.Logger) server.Config {
	env := environment(compilerFlags{})
	config := server.Config{
		Version: toolVersion,
		Log:     log,
		Session: session.Config{
			Compiler: session.Compiler{Env: env},
			Version:  toolVersion,
			Log:      log,
			Test:     regressionTest,
			Install: func(ctx context.Context, release string, progress func(string)) error {
				return installFor(ctx, installer(env), release, progress)
			},
		},
	}
	if env.CacheDir != "" {
		config.Session.Cache = filepath.Join(env.CacheDir, "leveret", "lsp")
	}
	for _, o := range oracle.All {
		config.Session.Oracles = append(config.Session.Oracles, session.Oracle{Name: o.Name, Title: o.Title, Doc: o.Doc()})
	}
	return config
}

// installFor downloads a compiler that the user of an editor requested.
func installFor(ctx context.Context, i *release.Installer, text string, progress func(string)) error {
	wanted, err := version.ParseRange(text)
	if err != nil {
		return err
	}
	last := int64(-1)
	i.Progress = func(_ release.Release, done, total int64) {
		if mb := done >> 20; mb > last {
			last = mb
			progress(fmt.Sprintf("%d of %d MB", mb, total>>20))
		}
	}
	_, err = i.Install(ctx, wanted)
	return err
}

// regressionTest adds a test for a finding to the text of a test file.
func regressionTest(old []byte, f *finding.Finding, contract *solc.Contract) ([]byte, error) {
	return foundry.Test(old, foundry.Contract{Name: contract.Name, Solc: contract.Build.Version}, *f, engine.Start(nil))
}

// serveListener serves clients one after another.
func serveListener(ctx context.Context, c console, log *zap.Logger, address string) error {
	return listenLoopback(ctx, c, address, func(conn net.Conn) {
		if err := serve(ctx, conn, log); err != nil && !errors.Is(err, errFound) {
			log.Error("connection ended", zap.Error(err))
		}
	})
}

// listenLoopback calls serve with clients one after another until ctx ends. It listens
// on loopback addresses alone, because a client can have files compiled.
func listenLoopback(ctx context.Context, c console, address string, serve func(net.Conn)) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--listen %s: write 127.0.0.1:PORT", address)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("--listen %s: not a loopback address; write 127.0.0.1:PORT", address)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("--listen %s: %w", address, err)
	}
	fmt.Fprintln(c.err, "Listening at", listener.Addr())
	context.AfterFunc(ctx, func() { listener.Close() })
	for {
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("--listen %s: %w", address, err)
		}
		serve(conn)
	}
}

// stdio connects the server to its parent process.
type stdio struct {
	io.Reader
	io.Writer
}

// Close makes a blocked read return.
func (s stdio) Close() error {
	if in, ok := s.Reader.(io.Closer); ok {
		return in.Close()
	}
	return nil
}
