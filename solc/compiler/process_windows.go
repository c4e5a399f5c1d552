package compiler

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A processGroup is a process and its descendants: on Windows, a job object. The
// system ends the processes of a job when its last handle is closed, also when
// Leveret dies.
type processGroup struct {
	job windows.Handle // 0: there is none
}

func (*processGroup) prepare(*exec.Cmd) {}

// adopt puts a process that was started, and what it starts, in a job.
func (t *processGroup) adopt(p *os.Process) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, p)
	}
	if err != nil {
		windows.CloseHandle(job)
		return
	}
	t.job = job
}

func assign(job windows.Handle, p *os.Process) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(job, process)
}

func (t *processGroup) kill(p *os.Process) error {
	if t.job != 0 {
		return windows.TerminateJobObject(t.job, 1)
	}
	return p.Kill()
}

func (t *processGroup) release() {
	if t.job != 0 {
		windows.CloseHandle(t.job)
	}
}
