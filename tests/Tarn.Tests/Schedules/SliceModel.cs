using Tarn.Tests.Schedules.Checking;

namespace Tarn.Tests.Schedules;

/// <summary>
/// A thread releases the last hold of a counted buffer and gives the table another buffer. Meanwhile a second one, by a copy of the handle,
/// reads the first buffer without the lock.
/// </summary>
internal static class SliceModel
{
    private const string File = "src/Tarn/Sharing/HolderTable.cs";
    private const int FirstToken = 1;
    private const int SecondToken = 2;
    private const int Free = 0;

    internal static Protocol Create(PlantedFault fault)
    {
        Protocol protocol = new();
        int array = protocol.Location("_array", initial: 1);
        int place = protocol.Location("_places[0]", FirstToken);
        AddUser(protocol.Thread("user"), array, place, fault);
        AddReader(protocol.Thread("reader"), array, place, fault);
        return protocol;
    }

    private static void AddUser(ThreadProgram user, int array, int place, PlantedFault fault)
    {
        user.From(File, "TryRelease");
        user.Store(place, Free, "Volatile.Write(ref _places.At(hold.Place), ~(long)_free);", StepOrder.Release);
        user.From(File, "End");
        user.Store(array, 0, "_array = null;");
        user.From(File, "Begin");
        StepOrder order = fault == PlantedFault.PlainArray ? StepOrder.Plain : StepOrder.Release;
        user.Store(array, 2, "Volatile.Write(ref _array, array);", order);
        user.From(File, "TakePlace");
        user.Store(place, SecondToken, "Volatile.Write(ref _places.At(place), ++_lastToken);", StepOrder.Release);
    }

    private static void AddReader(ThreadProgram reader, int array, int place, PlantedFault fault)
    {
        Expression seen = reader.Register("array");
        Expression token = reader.Register("token");
        reader.From(File, "ArrayOf");
        if (fault == PlantedFault.TokenBeforeArray)
        {
            AddToken(reader, place, token);
        }

        reader.Load(seen, array, "T[]? array = Volatile.Read(ref _array);", StepOrder.Acquire);
        if (fault != PlantedFault.TokenBeforeArray)
        {
            AddToken(reader, place, token);
        }

        reader.Check(token.IsNot(FirstToken).Or(seen.IsNot(2)), "a hold never sees another hold's buffer");
    }

    private static void AddToken(ThreadProgram reader, int place, Expression token) =>
        reader.Load(token, place, "Volatile.Read(ref place) == hold.Token", StepOrder.Acquire);
}
