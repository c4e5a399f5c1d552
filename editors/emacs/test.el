;;; test.el --- A session with leveret.el -*- lexical-binding: t -*-
;;; Commentary:
;; Dape is replaced by what records its configurations.
;; Input: CLIENT (eglot or lsp-mode), LEVERET (the program), FILE, FIXED (a file with the fixed text).
;; Output: OUT, a JSON file.
;;; Code:

(require 'flymake)
(defvar client (intern (getenv "CLIENT")))
(require client)
(define-derived-mode solidity-mode prog-mode "Solidity")

(defvar out nil)
(defun tell (key value) (push (cons key value) out))
(defun await (what ok)
  (let ((end (+ (float-time) 90)))
    (while (not (funcall ok))
      (when (> (float-time) end) (error "Never: %s" what))
      (accept-process-output nil 0.05)
      (sit-for 0))))
(defun ours ()
  (seq-filter (lambda (d) (string-match-p "this assertion can fail" (flymake-diagnostic-text d))) (flymake-diagnostics)))

;; The debugger records what it is started with.
(defvar launched nil)
(defun dape (config) (push config launched))
(provide 'dape)
(defun keywords (config)
  "The part of CONFIG that is sent to the adapter."
  (seq-mapcat #'identity (seq-filter (lambda (pair) (keywordp (car pair))) (seq-partition config 2))))

(defvar root (file-name-directory (directory-file-name (file-name-directory (getenv "FILE")))))
(defun settle-eglot ()
  (setq eglot-sync-connect 10 eglot-autoshutdown t eglot-send-changes-idle-time 0 eglot-confirm-server-initiated-edits nil)
  (add-hook 'project-find-functions (lambda (_) (cons 'transient root)))
  (leveret-eglot-setup))
(defun settle-lsp-mode ()
  (load "lsp-mode-autoloads") ; which -Q leaves out
  (setq lsp-enable-snippet nil lsp-session-file (expand-file-name "session" (getenv "HOME")) lsp-diagnostics-provider :flymake lsp-restart 'ignore
        lsp-enable-file-watchers nil lsp-warn-no-matched-clients nil lsp-idle-delay 0.1)
  (leveret-lsp-setup)
  (lsp-workspace-folders-add root))
(defun begin-eglot () (apply #'eglot (eglot--guess-contact)))
(defun begin-lsp-mode () (lsp))
(defun end-eglot () (eglot-shutdown (eglot-current-server)))
(defun end-lsp-mode () (lsp-workspace-shutdown (car (lsp-workspaces))))

;; lsp-mode writes a file that Emacs has open, and Emacs asks whether to reload it: always yes.
(dolist (question '(y-or-n-p yes-or-no-p)) (advice-add question :override #'always))

(setq leveret-program (getenv "LEVERET") leveret-settings '(:budget "1s" :seed 1 :idle :json-false :trusted t)
      flymake-no-changes-timeout 0 make-backup-files nil create-lockfiles nil)
(funcall (intern (format "settle-%s" client)))
(condition-case err
    (with-current-buffer (find-file-noselect (getenv "FILE"))
      (switch-to-buffer (current-buffer)) ; Flymake checks displayed buffers only
      (solidity-mode)
      (funcall (intern (format "begin-%s" client)))
      (flymake-start)
      (await "a finding" #'ours)
      (let ((d (car (ours))))
        (tell 'line (line-number-at-pos (flymake-diagnostic-beg d)))
        (tell 'text (flymake-diagnostic-text d))
        (goto-char (flymake-diagnostic-beg d)))
      (tell 'actions (vconcat (mapcar (lambda (a) (leveret--get a :title)) (leveret--actions))))
      (tell 'trace (with-current-buffer (leveret-replay)
                     (unless (next-button (point-min)) (error "The trace has no buttons"))
                     (goto-char (point-min))
                     (search-forward "step: 0 → 1")
                     (call-interactively (key-binding "d"))
                     (buffer-string)))
      (set-buffer (get-file-buffer (getenv "FILE")))
      (leveret-debug)
      (leveret-copy-witness)
      (unless (string-match-p "31337" (current-kill 0)) (error "The kill ring has %s" (current-kill 0)))
      (leveret-doctor)
      (with-current-buffer "*leveret doctor*"
        (unless (string-match-p "solc" (buffer-string)) (error "The doctor says %s" (buffer-string))))
      (with-current-buffer (find-file-noselect (getenv "TESTS"))
        (solidity-mode)
        (when (eq client 'lsp-mode) (lsp))
        (goto-char (point-min))
        (forward-line 3)
        (await "the test has run"
               (lambda () (seq-some (lambda (a) (string-prefix-p "Trace of testAdds" (leveret--get a :title))) (ignore-errors (leveret--actions)))))
        (leveret-debug-test)
        (leveret-run-test)
        (tell 'test (with-current-buffer (leveret-trace-test) (buffer-string)))
        (set-buffer (get-file-buffer (getenv "TESTS")))
        (kill-buffer))
      (set-buffer (get-file-buffer (getenv "FILE")))
      (leveret-fuzz)
      (leveret-stop)
      (leveret-add-test)
      (let ((test (expand-file-name "test/Wallet.leveret.t.sol" root)))
        (await "the regression test"
               (lambda ()
                 (when (or (get-file-buffer test) (file-exists-p test))
                   (with-current-buffer (or (get-file-buffer test) (find-file-noselect test)) (string-match-p "31337" (buffer-string)))))))
      (set-buffer (get-file-buffer (getenv "FILE")))
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert-file-contents (getenv "FIXED")))
      (save-buffer)
      (await "the finding to go" (lambda () (not (ours))))
      (tell 'fixed t)
      (tell 'adapter (list (cons 'command (plist-get (car launched) 'command))
                           (cons 'args (vconcat (plist-get (car launched) 'command-args)))))
      (tell 'launched (vconcat (mapcar #'keywords (reverse launched))))
      (set-buffer-modified-p nil)
      (funcall (intern (format "end-%s" client))))
  (error (tell 'error (error-message-string err))))
(with-temp-file (getenv "OUT") (insert (json-encode out)))
(kill-emacs 0)
;;; test.el ends here
