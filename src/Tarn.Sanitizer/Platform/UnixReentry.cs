using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using System.Text;

namespace Tarn.Sanitizing.Platform;

/// <summary>Replaces this process by another program: its id, its arguments, its folder and its open streams stay.</summary>
[UnsupportedOSPlatform("windows")]
internal static unsafe class UnixReentry
{
    /// <summary>Returns only if the system refuses, with the reason.</summary>
    public static string Begin(string executable)
    {
        RemoveDiagnosticsSockets();
        byte*** arguments = OperatingSystem.IsMacOS() ? MacArguments() : null;
        byte** copied = arguments is null ? ReadArguments() : *arguments;
        _ = Execute(executable, copied);
        return Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());
    }

    /// <summary>The command line as the system has it.</summary>
    public static string CommandLine
    {
        get
        {
            if (!OperatingSystem.IsMacOS())
            {
                return Encoding.UTF8.GetString(File.ReadAllBytes("/proc/self/cmdline")).TrimEnd('\0').Replace('\0', ' ');
            }

            var words = new List<string?>();
            for (byte** word = *MacArguments(); *word is not null; word++)
            {
                words.Add(Marshal.PtrToStringUTF8((nint)(*word)));
            }

            return string.Join(' ', words);
        }
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
    /// The runtime names the socket of its diagnostics by the process's id and start, which stay, and opens none where one exists. Others
    /// with this id are of processes that ended, or that live in a container with the same folder for temporary files.
    /// </summary>
    private static void RemoveDiagnosticsSockets()
    {
        string start = OperatingSystem.IsLinux() ? StartOfThis() : "*";
        try
        {
            foreach (string socket in Directory.GetFiles(
                Path.GetTempPath(), FormattableString.Invariant($"dotnet-diagnostic-{Environment.ProcessId}-{start}-socket")))
            {
                TryDelete(socket);
            }
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A folder that nobody may list has the socket of this process at most, without which the program runs as well.
        }
    }

    private static void TryDelete(string socket)
    {
        try
        {
            File.Delete(socket);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // Another user made it. The program runs without diagnostics then, as it would have.
        }
    }

    /// <summary>When this process started, as the kernel counts: what the runtime puts into the name.</summary>
    private static string StartOfThis()
    {
        const int StartAfterName = 19;
        string stat = File.ReadAllText("/proc/self/stat");

        // The second field is the name, which may hold spaces and brackets.
        return stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[StartAfterName];
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
