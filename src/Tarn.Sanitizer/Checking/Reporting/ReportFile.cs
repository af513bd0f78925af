using System.Globalization;
using System.Text;
using Tarn.Sanitizing.Launching;

namespace Tarn.Sanitizing.Checking.Reporting;

/// <summary>
/// What a process found, a line of JSON each. A line is in the file when the call returns, so a process that is killed loses nothing that
/// it found. All members are safe to call from any thread.
/// </summary>
internal sealed class ReportFile
{
    private const int MostFiles = 10_000;

    private readonly object _lock = new();
    private readonly FileStream? _file;
    private readonly string? _folder;
    private int _stacks;
    private bool _hasLost;

    /// <param name="file">The file; null for one that goes nowhere.</param>
    /// <param name="folder">The folder of the reports.</param>
    internal ReportFile(FileStream? file, string? folder)
    {
        _file = file;
        _folder = folder;
    }

    /// <summary>Creates this process's file; one that goes nowhere without a folder.</summary>
    internal static ReportFile Create(string? folder)
    {
        if (folder is null)
        {
            return new ReportFile(null, null);
        }

        Directory.CreateDirectory(folder);
        for (int number = 0; number < MostFiles; number++)
        {
            string path = Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}-{number}.jsonl"));
            try
            {
                return new ReportFile(
                    new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.ReadWrite, bufferSize: 0), folder);
            }
            catch (IOException) when (File.Exists(path))
            {
                // An earlier process had this id.
            }
        }

        throw new IOException($"{folder} has {MostFiles} reports of processes with the id {Environment.ProcessId}: empty it.");
    }

    internal void Write(JsonLine line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line.ToString());
        lock (_lock)
        {
            try
            {
                _file?.Write(bytes);
            }
            catch (IOException)
            {
                // A full disk is no reason to end the program, and none to call it faultless.
                NoteLoss();
            }
        }
    }

    private void NoteLoss()
    {
        if (!_hasLost)
        {
            _hasLost = true;
            ReportLoss.Note(_folder!);
        }
    }

    /// <summary>The number by which lines refer to a stack, which is written first; 0 for none.</summary>
    internal int Refer(RecordedStack? stack)
    {
        if (stack is null || stack.Frames.Length == 0)
        {
            return 0;
        }

        lock (_lock)
        {
            if (stack.ReportedAs == 0)
            {
                stack.ReportedAs = ++_stacks;
                Write(new JsonLine("stack").Add("id", stack.ReportedAs).Add("frames", stack.Frames));
            }

            return stack.ReportedAs;
        }
    }
}
