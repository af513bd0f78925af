using System.Buffers;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Loader;

// One file, without anything newer than .NET 8: tests also publish it in other ways.
switch (args)
{
    case ["facts", ..]:
        TellFacts();
        return 0;
    case ["exit", string code]:
        return int.Parse(code);
    case ["echo"]:
        Console.OpenStandardInput().CopyTo(Console.OpenStandardOutput());
        return 0;
    case ["crash"]:
        Environment.FailFast("as asked");
        return 0;
    case ["unload"]:
        Console.WriteLine($"unloaded={Unloads(RunApart())}");
        return 0;
    case ["wait"]:
        return WaitForEnd();
    case ["start", .. string[] rest]:
        using (Process child = Process.Start(new ProcessStartInfo(rest[0], string.Join(' ', rest[1..])) { UseShellExecute = false })!)
        {
            child.WaitForExit();
            return child.ExitCode;
        }

    default:
        return 99;
}

// Whether each kind of pool asks, and what the program sees of itself.
void TellFacts()
{
    int asked = 0;
    AppContext.SetData("Tarn.PoolHook", (Func<object, Type, object?>)((_, _) =>
    {
        asked++;
        return null;
    }));
    ArrayPool<byte>.Shared.Return(ArrayPool<byte>.Shared.Rent(100));
    int bytes = asked;
    ArrayPool<string>.Shared.Return(ArrayPool<string>.Shared.Rent(100));
    int references = asked - bytes;
    ArrayPool<Guid>.Shared.Return(ArrayPool<Guid>.Shared.Rent(100));
    int structs = asked - bytes - references;
    ArrayPool<int> created = ArrayPool<int>.Create();
    created.Return(created.Rent(10));
    int own = asked - bytes - references - structs;
    AppContext.SetData("Tarn.PoolHook", null);
    Console.WriteLine($"asked={bytes},{references},{structs},{own}");
    Console.WriteLine($"runtime={RuntimeInformation.FrameworkDescription}");
    Console.WriteLine($"corelib={typeof(object).Assembly.Location}");
    Console.WriteLine($"arguments={string.Join('|', args)}");
    Console.WriteLine($"id={Environment.ProcessId}");
    Console.WriteLine($"folder={Environment.CurrentDirectory}");
    foreach (string name in Environment.GetEnvironmentVariables().Keys.Cast<string>().Order(StringComparer.Ordinal))
    {
        if (name.StartsWith("DOTNET_ROOT", StringComparison.Ordinal)
            || name is "TARN_SANITIZE_AGAIN" or "DOTNET_ReadyToRun" or "DOTNET_TieredPGO")
        {
            Console.WriteLine($"variable={name}={Environment.GetEnvironmentVariable(name)}");
        }
    }
}

// Whether what rented arrays of its own types can be unloaded.
bool Unloads(WeakReference apart)
{
    for (int turn = 0; turn < 500 && apart.IsAlive; turn++)
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        Thread.Sleep(10);
    }

    return !apart.IsAlive;
}

[MethodImpl(MethodImplOptions.NoInlining)]
WeakReference RunApart()
{
    var apart = new AssemblyLoadContext("apart", isCollectible: true);
    Type type = apart.LoadFromAssemblyPath(typeof(Apart).Assembly.Location).GetType(nameof(Apart))!;
    type.GetMethod(nameof(Apart.Rent))!.Invoke(null, null);
    apart.Unload();
    return new WeakReference(apart);
}

// Ends with 5 after a request to terminate.
int WaitForEnd()
{
    using var ended = new ManualResetEventSlim();
    using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, context =>
    {
        context.Cancel = true;
        ended.Set();
    });
    Console.WriteLine(Environment.ProcessId);
    return ended.Wait(TimeSpan.FromSeconds(60)) ? 5 : 6;
}

internal static class Apart
{
    private readonly record struct Own(int Number);

    // One of each stays rented, one is returned.
    public static void Rent()
    {
        Use<byte>();
        Use<string>();
        Use<Own>();
    }

    private static void Use<T>()
    {
        ArrayPool<T>.Shared.Return(ArrayPool<T>.Shared.Rent(100));
        _ = ArrayPool<T>.Shared.Rent(200);
    }
}
