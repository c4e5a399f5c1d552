package server

import (
	"slices"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// capabilities are the client's, without those that affect formatting.
type capabilities struct {
	configuration  bool // answers workspace/configuration
	watch          bool // registers didChangeWatchedFiles dynamically
	folders        bool
	progress       bool
	showDocument   bool
	virtual        bool // supports workspace/textDocumentContent
	applyEdit      bool
	lensRefresh    bool
	hintRefresh    bool
	links          bool // registers documentLink dynamically
	dynamicConfig  bool // sends didChangeConfiguration only if registered
	createFiles    bool // in workspace edits
	documentChange bool
}

// yes reads an optional flag.
func yes(flag *bool) bool { return flag != nil && *flag }

func readCapabilities(c protocol.ClientCapabilities) (caps capabilities) {
	if w := c.Workspace; w != nil {
		caps.configuration = yes(w.Configuration)
		caps.folders = yes(w.WorkspaceFolders)
		caps.applyEdit = yes(w.ApplyEdit)
		caps.virtual = w.TextDocumentContent != nil
		caps.lensRefresh = w.CodeLens != nil && yes(w.CodeLens.RefreshSupport)
		caps.hintRefresh = w.InlayHint != nil && yes(w.InlayHint.RefreshSupport)
		caps.watch = w.DidChangeWatchedFiles != nil && yes(w.DidChangeWatchedFiles.DynamicRegistration)
		caps.dynamicConfig = w.DidChangeConfiguration != nil && yes(w.DidChangeConfiguration.DynamicRegistration)
		if e := w.WorkspaceEdit; e != nil {
			caps.documentChange = yes(e.DocumentChanges)
			caps.createFiles = caps.documentChange && slices.Contains(e.ResourceOperations, protocol.ResourceOperationKindCreate)
		}
	}
	if t := c.TextDocument; t != nil {
		caps.links = t.DocumentLink != nil && yes(t.DocumentLink.DynamicRegistration)
	}
	if w := c.Window; w != nil {
		caps.progress = yes(w.WorkDoneProgress)
		caps.showDocument = w.ShowDocument != nil && w.ShowDocument.Support
	}
	return caps
}

// readFormat reads what the client can display.
func readFormat(c protocol.ClientCapabilities) present.Client {
	client := present.Client{Encoding: session.UTF16}
	// Compilers count bytes, so UTF-8 avoids conversions. UTF-16 is LSP's
	// default.
	if c.General != nil && slices.Contains(c.General.PositionEncodings, protocol.PositionEncodingKindUTF8) {
		client.Encoding = session.UTF8
	}
	t := c.TextDocument
	if t == nil {
		return client
	}
	if p := t.PublishDiagnostics; p != nil {
		client.Related = yes(p.RelatedInformation)
		client.Data = yes(p.DataSupport)
	}
	if a := t.CodeAction; a != nil {
		client.Literals = len(a.CodeActionLiteralSupport.CodeActionKind.ValueSet) > 0
		client.Resolve = yes(a.DataSupport) && slices.Contains(a.ResolveSupport.Properties, "edit")
	}
	if t.Hover != nil {
		client.Markdown = slices.Contains(t.Hover.ContentFormat, protocol.MarkupKindMarkdown)
	}
	return client
}

// serverCapabilities returns what the server supports.
func serverCapabilities(client present.Client, caps capabilities) protocol.ServerCapabilities {
	yes, no := true, false
	incremental := protocol.TextDocumentSyncKindIncremental
	encoding := protocol.PositionEncodingKindUTF16
	if client.Encoding == session.UTF8 {
		encoding = protocol.PositionEncodingKindUTF8
	}
	offered := protocol.ServerCapabilities{
		PositionEncoding: encoding,
		// Some clients send didSave only if this object requests it.
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: &yes,
			Change:    &incremental,
			Save:      &protocol.SaveOptions{IncludeText: &no},
		},
		CodeActionProvider: &protocol.CodeActionOptions{CodeActionKinds: present.ActionKinds, ResolveProvider: &yes},
		CodeLensProvider:   &protocol.CodeLensOptions{ResolveProvider: &no},
		HoverProvider:      protocol.Boolean(true),
		InlayHintProvider:  protocol.Boolean(true),
		ExecuteCommandProvider: protocol.ExecuteCommandOptions{
			Commands: present.Commands,
		},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: &yes, ChangeNotifications: protocol.Boolean(true)},
		},
	}
	if !caps.links { // else it is registered for certain documents
		offered.DocumentLinkProvider = &protocol.DocumentLinkOptions{ResolveProvider: &no}
	}
	if caps.virtual {
		offered.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: []string{documentScheme}}
	}
	return offered
}
