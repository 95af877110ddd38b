;;; gradlint as you type in Emacs: (load "emacs-flymake.el"), then M-x flymake-mode -*- lexical-binding: t -*-

(defvar gradlint-command "gradlint" "The program to run.")

(defvar gradlint--process nil "The check that is under way in this buffer.")

(defun gradlint-flymake (report &rest _)
  "Check the buffer's text, saved or not, and tell REPORT."
  (when (process-live-p gradlint--process)
    (kill-process gradlint--process))
  (let ((source (current-buffer)))
    (setq-local
     gradlint--process
     (make-process
      :name "gradlint" :noquery t :connection-type 'pipe
      :buffer (generate-new-buffer " *gradlint*")
      :command (list gradlint-command "check" "-" "--output-format" "concise"
                     "--stdin-filename" (or (buffer-file-name) "buffer.py"))
      :sentinel
      (lambda (process _event)
        (when (memq (process-status process) '(exit signal))
          (unwind-protect
              (when (and (buffer-live-p source)
                         (eq process (buffer-local-value 'gradlint--process source)))
                (with-current-buffer (process-buffer process)
                  (goto-char (point-min))
                  (let (found)
                    (while (re-search-forward "^.+?:\\([0-9]+\\):\\([0-9]+\\): \\(.+\\)$" nil t)
                      (let* ((text (match-string 3))
                             (place (flymake-diag-region
                                     source
                                     (string-to-number (match-string 1))
                                     (string-to-number (match-string 2)))))
                        (push (flymake-make-diagnostic
                               source (car place) (cdr place) :warning text)
                              found)))
                    (funcall report (nreverse found)))))
            (kill-buffer (process-buffer process)))))))
    (process-send-region gradlint--process (point-min) (point-max))
    (process-send-eof gradlint--process)))

(defun gradlint-setup-flymake ()
  "Let flymake ask gradlint about this buffer, too."
  (add-hook 'flymake-diagnostic-functions #'gradlint-flymake nil t))

(add-hook 'python-mode-hook #'gradlint-setup-flymake)
(add-hook 'python-ts-mode-hook #'gradlint-setup-flymake)
