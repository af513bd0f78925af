using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>A shared value of two words, in two copies by turns: a writer writes three values, and a reader reads one.</summary>
internal static class ValueModel
{
    private const string File = "src/Tarn.SharedMemory/Values/SharedValue.cs";
    private const int Copies = 2;
    private const int Values = 3;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int version = protocol.Location("Header->Version");
        int first = protocol.Locations("first", new int[Copies]);
        int second = protocol.Locations("second", new int[Copies]);
        int fence = protocol.Location("(fence)");
        AddWriter(protocol.Thread("writer"), version, first, second, fault);
        AddReader(protocol.Thread("reader"), version, first, second, fence, fault);
        return protocol;
    }

    private static void AddWriter(ThreadProgram writer, int version, int first, int second, PlantedFault fault)
    {
        Expression old = writer.Register("old");
        for (int value = 1; value <= Values; value++)
        {
            writer.From(File, "Publish");
            if (fault == PlantedFault.VersionBeforeValue)
            {
                writer.Exchange(old, version, value, "Interlocked.Exchange(ref _header->Version, version);");
            }

            writer.Store(first + (value % Copies), value, "Unsafe.WriteUnaligned(CopyOf(version), value);");
            writer.Store(second + (value % Copies), value, "Unsafe.WriteUnaligned(CopyOf(version), value);");
            if (fault == PlantedFault.PlainVersion)
            {
                writer.Store(version, value, "(Header->Version = version)", StepOrder.Release);
            }
            else if (fault != PlantedFault.VersionBeforeValue)
            {
                writer.Exchange(old, version, value, "Interlocked.Exchange(ref _header->Version, version);");
            }
        }
    }

    private static void AddReader(ThreadProgram reader, int version, int first, int second, int fence, PlantedFault fault)
    {
        Expression seen = reader.Register("version");
        Expression one = reader.Register("first");
        Expression two = reader.Register("second");
        Expression again = reader.Register("again");
        Expression old = reader.Register("old");
        Expression isRead = reader.Register("isRead");
        Expression copy = seen - (Copies * (seen > 1));
        reader.While(
            isRead.Is(0),
            () =>
            {
                reader.From(File, "TryRead");
                reader.Load(
                    seen, version, "version = Volatile.Read(ref _header->Version);", StepOrder.Acquire, until: seen > 0);
                reader.Load(one, first + copy, "value = Unsafe.ReadUnaligned<T>(CopyOf(version));");
                reader.Load(two, second + copy, "value = Unsafe.ReadUnaligned<T>(CopyOf(version));");
                if (fault != PlantedFault.ReadWithoutFence)
                {
                    // At least a fence for loads; the reader stores nothing.
                    reader.Exchange(old, fence, 0, "Volatile.ReadBarrier();");
                }

                if (fault == PlantedFault.ReadWithoutSecondLook)
                {
                    reader.Set(again, seen);
                }
                else
                {
                    reader.Load(again, version, "Volatile.Read(ref _header->Version) - version", StepOrder.Acquire);
                }

                reader.If(
                    again.Is(seen),
                    () =>
                    {
                        reader.Check(one.Is(seen).And(two.Is(seen)), "a value is whole, and of its version");
                        reader.Set(isRead, 1);
                    });
            });
    }
}
