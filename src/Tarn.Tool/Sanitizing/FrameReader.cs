using System.Text.Json;
using Tarn.Traces;

namespace Tarn.Tool.Sanitizing;

/// <summary>Turns a reported frame into one with the names and the line of its source.</summary>
internal sealed class FrameReader : IDisposable
{
    private readonly SourceLines _lines = new();
    private readonly ModuleFiles _modules = new();
    private readonly TestMethods _tests;
    private readonly Dictionary<(string Path, int Token, int Offset, string Method), StackFrame> _known = [];

    public FrameReader() => _tests = new TestMethods(_modules);

    public StackFrame Read(JsonElement frame)
    {
        string method = frame.GetProperty("method").GetString()!;
        string path = frame.GetProperty("path").GetString()!;
        int token = frame.GetProperty("token").GetInt32();
        int offset = frame.GetProperty("offset").GetInt32();
        if (_known.TryGetValue((path, token, offset, method), out StackFrame? known))
        {
            return known;
        }

        string file = frame.GetProperty("file").GetString()!;
        int line = frame.GetProperty("line").GetInt32();
        if (path.Length > 0)
        {
            (file, line) = _lines.Find(path, token, offset);
        }

        var read = new StackFrame(MethodNames.Readable(method), frame.GetProperty("assembly").GetString()!, file, line)
        {
            Test = _tests.Find(path, token),
        };
        _known.Add((path, token, offset, method), read);
        return read;
    }

    public void Dispose()
    {
        _lines.Dispose();
        _modules.Dispose();
    }
}
