;;; leveret.el --- Fuzz Solidity while you write it -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages, tools

;;; Commentary:

;; Commands for the language server Leveret under Eglot or lsp-mode: replay a
;; finding, add a regression test, fuzz a file; and with Dape, debug a finding or a test.

;;; Code:

(require 'json)
(require 'seq)
(require 'subr-x)
(require 'url-util)

(declare-function dape "dape")
(declare-function eglot-current-server "eglot")
(declare-function eglot-execute-command "eglot")
(declare-function jsonrpc-request "jsonrpc")
(declare-function lsp-request "lsp-mode")
(declare-function lsp-register-client "lsp-mode")
(declare-function lsp-stdio-connection "lsp-mode")
(declare-function make-lsp-client "lsp-mode")
(defvar eglot-server-programs)
(defvar lsp-language-id-configuration)

(defgroup leveret nil "Fuzz Solidity while you write it." :group 'tools :prefix "leveret-")

(defcustom leveret-program "leveret"
  "The program of the server."
  :type 'string)

(defcustom leveret-modes '(solidity-mode solidity-ts-mode)
  "Major modes of Solidity."
  :type '(repeat symbol))

(defcustom leveret-settings '(:budget "3s")
  "Settings of the server, as a property list without the prefix \"leveret.\"."
  :type 'plist)

;;;###autoload
(defun leveret-lsp-setup ()
  "Start Leveret in Solidity buffers with lsp-mode, beside other servers."
  (require 'lsp-mode)
  (dolist (mode leveret-modes)
    (add-to-list 'lsp-language-id-configuration (cons mode "solidity")))
  (lsp-register-client
   (make-lsp-client :new-connection (lsp-stdio-connection (lambda () (list leveret-program "lsp")))
                    :major-modes leveret-modes
                    :server-id 'leveret
                    :add-on? t
                    :initialization-options (lambda () leveret-settings))))

;;;###autoload
(defun leveret-eglot-setup ()
  "Start Leveret in Solidity buffers with Eglot."
  (require 'eglot)
  (dolist (mode leveret-modes)
    (add-to-list 'eglot-server-programs
                 (list mode leveret-program "lsp" :initializationOptions leveret-settings))))

(defun leveret--lsp-mode-p ()
  "Whether lsp-mode serves this buffer."
  (bound-and-true-p lsp-mode))

(defun leveret--execute (command &rest arguments)
  "Run COMMAND of the server with ARGUMENTS and return the result."
  (let ((parameters (list :command command :arguments (vconcat arguments))))
    (cond ((leveret--lsp-mode-p) (lsp-request "workspace/executeCommand" parameters))
          ((and (fboundp 'eglot-current-server) (eglot-current-server))
           (jsonrpc-request (eglot-current-server) :workspace/executeCommand parameters :timeout 30))
          (t (user-error "Leveret is not running in this buffer")))))

(defun leveret--uri ()
  "The URI of this buffer's file."
  (concat "file://" (url-hexify-string (buffer-file-name) url-path-allowed-chars)))

(defun leveret--actions ()
  "The server's code actions for the line at point."
  (let* ((line (1- (line-number-at-pos nil t)))
         (parameters (list :textDocument (list :uri (leveret--uri))
                           :range (list :start (list :line line :character 0) :end (list :line (1+ line) :character 0))
                           :context (list :diagnostics []))))
    (if (leveret--lsp-mode-p)
        (lsp-request "textDocument/codeAction" parameters)
      (jsonrpc-request (eglot-current-server) :textDocument/codeAction parameters))))

(defun leveret--get (object key)
  "The value of KEY, a keyword, in OBJECT, a property list or a hash table."
  (if (hash-table-p object)
      (gethash (substring (symbol-name key) 1) object)
    (plist-get object key)))

(defun leveret--finding (command)
  "The argument of the first action for the line at point that runs COMMAND."
  (let ((found (seq-some
                (lambda (action)
                  (let ((call (leveret--get action :command)))
                    (when (and call (not (stringp call)) (equal (leveret--get call :command) command))
                      (seq-first (leveret--get call :arguments)))))
                (leveret--actions))))
    (or found (user-error "No finding on this line"))))

(defun leveret--test (title)
  "Run the action for the test on this line whose title starts with TITLE."
  (let* ((action (seq-find (lambda (a) (string-prefix-p title (leveret--get a :title))) (leveret--actions)))
         (call (and action (leveret--get action :command))))
    (unless call (user-error "No test on this line could be run or traced"))
    (apply #'leveret--execute (leveret--get call :command) (append (leveret--get call :arguments) nil))))

(defun leveret--show (uri)
  "Show the document that URI names in another window."
  (let ((buffer (find-file-noselect (url-unhex-string (string-remove-prefix "file://" uri)))))
    (with-current-buffer buffer
      (when (string-suffix-p ".trace" uri) (leveret-trace-mode)))
    (display-buffer buffer)
    buffer))

(defvar leveret-trace-place "\\([^ \t\n:()]+\\.sol\\):\\([0-9]+\\)"
  "Regexp for a source position in a trace.")

(define-derived-mode leveret-trace-mode special-mode "Leveret-Trace"
  "The trace of a finding.  Source positions are buttons."
  (setq-local outline-regexp "[ \t]*[^ \t\n]")
  (outline-minor-mode 1)
  (let ((inhibit-read-only t))
    (save-excursion
      (goto-char (point-min))
      (while (re-search-forward leveret-trace-place nil t)
        (make-text-button (match-beginning 0) (match-end 0)
                          'file (match-string-no-properties 1)
                          'line (string-to-number (match-string 2))
                          'action #'leveret--follow)))
    (set-buffer-modified-p nil)))

(defvar-local leveret--root nil "The folder of relative paths in a trace.")

(defvar-local leveret--source nil "The buffer from which a trace was shown, which has a server.")

(defun leveret--follow (button)
  "Show the source position of BUTTON."
  (find-file-other-window (expand-file-name (button-get button 'file) leveret--root))
  (goto-char (point-min))
  (forward-line (1- (button-get button 'line))))

;;;###autoload
(defun leveret-replay ()
  "Replay the finding on this line and show its trace."
  (interactive)
  (leveret--show-trace (leveret--execute "leveret.replay" (leveret--finding "leveret.replay"))))

(defun leveret--show-trace (uri)
  "Show the trace that URI names, with links relative to the project."
  (let* ((source (current-buffer))
         (root (or (locate-dominating-file default-directory "foundry.toml") default-directory))
         (buffer (leveret--show uri)))
    (with-current-buffer buffer (setq leveret--root (expand-file-name root) leveret--source source))
    buffer))

;;;###autoload
(defun leveret-run-test ()
  "Run the test at point alone."
  (interactive)
  (leveret--test "Run "))

;;;###autoload
(defun leveret-trace-test ()
  "Show the trace of the last run of the test at point."
  (interactive)
  (leveret--show-trace (leveret--test "Trace ")))

(defun leveret--debug (launch)
  "Start Dape with LAUNCH, the answer of a command of the server."
  (require 'dape)
  (let ((config (list 'command leveret-program 'command-args '("dap" "--fast") 'command-cwd default-directory)))
    (dolist (key '(:type :request :name :report :test :path :step))
      (when-let ((value (leveret--get launch key)))
        (setq config (append config (list key value)))))
    (dape config)))

;;;###autoload
(defun leveret-debug ()
  "Debug the finding on this line with Dape."
  (interactive)
  (leveret--debug (leveret--execute "leveret.debug" (leveret--finding "leveret.replay"))))

(defun leveret-debug-line ()
  "In a trace, debug its finding with Dape, stopped at the line of point."
  (interactive)
  (unless (buffer-live-p leveret--source) (user-error "This is no trace of a file that is open"))
  (let ((uri (leveret--uri))
        (line (1- (line-number-at-pos nil t))))
    (with-current-buffer leveret--source
      (leveret--debug (leveret--execute "leveret.debugLine" uri line)))))

(define-key leveret-trace-mode-map "d" #'leveret-debug-line)

;;;###autoload
(defun leveret-debug-test ()
  "Debug the test at point with Dape."
  (interactive)
  (let ((line (1- (line-number-at-pos nil t))))
    (leveret--debug (leveret--execute "leveret.debugTest" (leveret--uri)
                                      (list :start (list :line line :character 0) :end (list :line line :character 0))))))

;;;###autoload
(defun leveret-add-test ()
  "Add a regression test for the finding on this line."
  (interactive)
  (leveret--execute "leveret.exportTest" (leveret--finding "leveret.exportTest")))

;;;###autoload
(defun leveret-copy-witness ()
  "Copy the calls of the finding on this line to the kill ring, as JSON."
  (interactive)
  (let ((answer (leveret--execute "leveret.copyWitness" (leveret--finding "leveret.copyWitness"))))
    (kill-new (if (stringp answer) answer (json-encode answer)))))

;;;###autoload
(defun leveret-fuzz ()
  "Fuzz this file longer."
  (interactive)
  (leveret--execute "leveret.fuzz" (leveret--uri)))

;;;###autoload
(defun leveret-stop ()
  "Stop fuzzing until the next save."
  (interactive)
  (leveret--execute "leveret.stop"))

;;;###autoload
(defun leveret-doctor ()
  "Show compilers, project and settings of this file."
  (interactive)
  (let ((text (leveret--execute "leveret.doctor" (leveret--uri))))
    (with-current-buffer (get-buffer-create "*leveret doctor*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert text))
      (special-mode)
      (display-buffer (current-buffer)))))

(provide 'leveret)
;;; leveret.el ends here
