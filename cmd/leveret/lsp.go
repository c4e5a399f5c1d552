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
		Short: "Serve an editor",
		Long: `Serve an editor with the Language Server Protocol on the standard input and output.
What the server has to say about itself goes to the standard error and to the editor.

Exit code: 0 if the editor said goodbye, 1 if it went away, 2 if the server could not be started.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			log := newLogger(c.err)
			defer log.Sync()
			if listen != "" {
				return serveListener(ctx, c, log, listen)
			}
			os.Stdout = os.Stderr // nobody but the protocol may write there
			return serve(ctx, stdio{c.in, raw(c.out)}, log)
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "", "for debugging, serve one client after the other at `127.0.0.1:PORT`")
	cmd.Flags().Bool("stdio", true, "serve on the standard input and output, which is the default; many editors say so")
	return cmd
}

// newLogger writes lines for people.
func newLogger(w io.Writer) *zap.Logger {
	encoder := zap.NewDevelopmentEncoderConfig()
	encoder.CallerKey = zapcore.OmitKey
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(encoder), zapcore.Lock(zapcore.AddSync(w)), zap.InfoLevel))
}

// serve serves one client. One that goes away without a word is no failure of
// ours, but the protocol wants to see it in the exit code.
func serve(ctx context.Context, conn io.ReadWriteCloser, log *zap.Logger) error {
	err := server.Serve(ctx, conn, serverConfig(log))
	if errors.Is(err, server.ErrNoShutdown) {
		log.Info("the client went away without shutdown", zap.Error(err))
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
			Env:     env,
			Version: toolVersion,
			Log:     log,
			Test:    regressionTest,
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

// installFor downloads a compiler for an editor.
func installFor(ctx context.Context, i *release.Installer, text string, progress func(string)) error {
	wanted, err := version.ParseRange(text)
	if err != nil {
		return err
	}
	told := int64(-1)
	i.Progress = func(_ release.Release, done, total int64) {
		if mb := done >> 20; mb > told {
			told = mb
			progress(fmt.Sprintf("%d of %d MB", mb, total>>20))
		}
	}
	_, err = i.Install(ctx, wanted)
	return err
}

// regressionTest adds a test for a finding to a file of tests.
func regressionTest(root string, old []byte, f *finding.Finding, contract *solc.Contract) ([]byte, error) {
	return foundry.Test(old, foundry.Contract{Name: contract.Name, Solc: contract.Build.Version}, *f, engine.Start())
}

// serveListener serves clients one after the other. Whoever can connect can
// have files compiled, so only this machine may.
func serveListener(ctx context.Context, c console, log *zap.Logger, address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("--listen %s: write 127.0.0.1:PORT", address)
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("--listen %s: only this machine may connect; write 127.0.0.1:PORT", address)
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
		if err := serve(ctx, conn, log); err != nil && !errors.Is(err, errFound) {
			log.Error("connection ended", zap.Error(err))
		}
	}
}

// stdio is the connection to the parent process.
type stdio struct {
	io.Reader
	io.Writer
}

// Close ends reading: a blocked read returns.
func (s stdio) Close() error {
	if in, ok := s.Reader.(io.Closer); ok {
		return in.Close()
	}
	return nil
}
