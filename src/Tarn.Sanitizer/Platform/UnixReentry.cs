using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace Tarn.Sanitizing.Platform;

/// <summary>Replaces this process by another program: its id, its arguments, its folder and its open streams stay.</summary>
[UnsupportedOSPlatform("windows")]
internal static unsafe class UnixReentry
{
    /// <summary>Returns only if the system refuses, with the reason.</summary>
    public static string Begin(string executable)
    {
        RemoveDiagnosticsSocket();
        byte*** arguments = OperatingSystem.IsMacOS() ? MacArguments() : null;
        byte** copied = arguments is null ? ReadArguments() : *arguments;
        _ = Execute(executable, copied);
        return Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());
    }

    /// <summary>Whether a file may be executed.</summary>
    public static bool CanExecute(string path) => Access(path, 1) == 0;

    /// <summary>Sets what the system has, which .NET's own variables do not change.</summary>
    public static void SetVariable(string name, string? value) =>
        _ = value is null ? UnsetEnvironment(name) : SetEnvironment(name, value, 1);

    /// <summary>As the system has them, because text could lose bytes. Never freed: they are for a program that takes over.</summary>
    private static byte** ReadArguments()
    {
        byte[] line = File.ReadAllBytes("/proc/self/cmdline");
        byte* text = (byte*)NativeMemory.Alloc((nuint)line.Length + 1);
        line.CopyTo(new Span<byte>(text, line.Length));
        text[line.Length] = 0;
        int count = line.AsSpan().Count((byte)0);
        byte** arguments = (byte**)NativeMemory.AllocZeroed((nuint)count + 1, (nuint)sizeof(byte*));
        byte* next = text;
        for (int i = 0; i < count; i++)
        {
            arguments[i] = next;
            next += MemoryMarshal.CreateReadOnlySpanFromNullTerminated(next).Length + 1;
        }

        return arguments;
    }

    /// <summary>
    /// The runtime names the socket of its diagnostics by the process's id and start, which stay, and opens none where one exists.
    /// </summary>
    private static void RemoveDiagnosticsSocket()
    {
        foreach (string socket in Directory.GetFiles(
            Path.GetTempPath(), FormattableString.Invariant($"dotnet-diagnostic-{Environment.ProcessId}-*-socket")))
        {
            File.Delete(socket);
        }
    }

    [DllImport("libc", EntryPoint = "execv", SetLastError = true)]
    private static extern int Execute([MarshalAs(UnmanagedType.LPUTF8Str)] string path, byte** arguments);

    [DllImport("libc", EntryPoint = "kill")]
    public static extern int Send(int process, int signal);

    [DllImport("libc", EntryPoint = "access")]
    private static extern int Access([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int mode);

    [DllImport("libc", EntryPoint = "setenv")]
    private static extern int SetEnvironment(
        [MarshalAs(UnmanagedType.LPUTF8Str)] string name, [MarshalAs(UnmanagedType.LPUTF8Str)] string value, int overwrite);

    [DllImport("libc", EntryPoint = "unsetenv")]
    private static extern int UnsetEnvironment([MarshalAs(UnmanagedType.LPUTF8Str)] string name);

    [DllImport("libSystem.dylib", EntryPoint = "_NSGetArgv")]
    private static extern byte*** MacArguments();
}
