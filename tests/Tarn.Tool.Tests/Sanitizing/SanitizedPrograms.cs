using System.Xml.Linq;
using Tarn.Tool.Tests.Programs;

namespace Tarn.Tool.Tests.Sanitizing;

/// <summary>Programs with planted faults, built once for the tests that run them.</summary>
public sealed class SanitizedPrograms : IDisposable
{
    private const string Source =
        """
        using System.Buffers;

        ArrayPool<byte> pool = ArrayPool<byte>.Shared;
        byte[] buffer = pool.Rent(100); // rents
        switch (args[0])
        {
            case "twice":
                pool.Return(buffer); // first
                pool.Return(buffer); // second
                break;
            case "foreign":
                pool.Return(buffer);
                pool.Return(new byte[64]); // foreign
                break;
            case "other":
                ArrayPool<byte>.Create().Return(buffer); // other
                break;
            case "write":
                pool.Return(buffer); // returns
                buffer[3] = 9;
                break;
            case "async":
                await Task.Yield();
                pool.Return(buffer);
                await Task.Yield();
                pool.Return(buffer); // again
                break;
            case "memory":
                pool.Return(buffer);
                Memory<byte> late;
                using (IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(100))
                {
                    late = owner.Memory;
                } // disposes
                late.Span[0] = 1;
                break;
            case "lost":
                pool.Return(buffer);
                Lose();
                break;
            case "killed":
                pool.Return(buffer);
                pool.Return(buffer); // before
                System.Diagnostics.Process.GetCurrentProcess().Kill();
                break;
            case "held":
                break;
            case "unwritten":
                pool.Return(buffer);
                File.Create(Path.Combine(Environment.GetEnvironmentVariable("TARN_SANITIZE_REPORTS")!, "77.lost")).Dispose();
                break;
            case "read":
                buffer[0] = 7;
                pool.Return(buffer); // early
                return buffer[0] == 7 ? 0 : 3;
            case "zeros":
                int sum = buffer[..100].Sum(static one => one);
                pool.Return(buffer);
                return sum == 0 ? 0 : 3;
            case "longer":
                int length = buffer.Length;
                pool.Return(buffer);
                return length > 100 ? 0 : 3;
            default:
                pool.Return(buffer);
                return int.Parse(args[0]);
        }

        GC.KeepAlive(Kept.Buffer = args[0] == "held" ? buffer : null);
        return 0;

        static void Lose() => ArrayPool<int>.Shared.Rent(50); // loses

        internal static class Kept
        {
            internal static byte[]? Buffer;
        }
        """;

    private readonly WrittenProgram _program =
        new("Microsoft.NET.Sdk", "<TargetFramework>net10.0</TargetFramework>", "", Source);

    public SanitizedPrograms() => _program.Build();

    internal WrittenProgram Program => _program;

    public string[] Command(params string[] arguments) => ["dotnet", _program.Assembly, .. arguments];

    internal static XDocument Read(string path) => XDocument.Load(path);

    public void Dispose() => _program.Dispose();
}
